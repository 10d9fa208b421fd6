// NtSystemValues: the numbers of the whole machine, except those of threads. A value that cannot be read in a sweep is
// absent from that sweep.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/model/values.h"
#include "core/parse/nt/system.h"
#include "platform/sampling/nt/buffer.h"

namespace faultline {

// The counters that this system fills in. `trusted` as in fieldsProvided().
struct NtCounters {
  bool faults = false;
  bool copyOnWrite = false;
  bool transitions = false;
  bool demandZero = false;
  bool pageReads = false;

  bool operator==(const NtCounters&) const = default;
};
[[nodiscard]] NtCounters countersProvided(const NtPerformance& performance, bool trusted);

// Where the lengths of the lists of zeroed and of free pages come from.
enum class NtLists : std::uint8_t {
  None,
  Sum,   // of both, by PDH: read once a second, because PDH may take milliseconds
  Each,  // SystemMemoryListInformation
};

class NtSystemValues {
 public:
  NtSystemValues(const NtFunctions& nt, const Machine& machine) : m_nt(nt), m_machine(machine) {}

  [[nodiscard]] std::optional<NtPerformance> performance();
  [[nodiscard]] Result<NtMemoryLists> memoryLists();
  [[nodiscard]] std::optional<std::uint64_t> bootTime();  // wall time, 100 ns since 1601

  // Numbers that were unavailable at the start are never read later, because Hello calls them unavailable.
  void setProvided(std::optional<NtCounters> counters, NtLists lists) {
    m_counters = counters;
    m_lists = lists;
  }
  [[nodiscard]] SystemValues read(MonotonicTime now);

 private:
  // Sizes of the structures in Windows 10; MemoryLists and TimeOfDay accept no other size.
  static constexpr std::size_t kPerformance = 512;
  static constexpr std::size_t kMemoryLists = 176;
  static constexpr std::size_t kTimeOfDay = 48;

  const NtFunctions& m_nt;
  const Machine& m_machine;
  NtBuffer m_performance{NtClass::Performance, kPerformance};
  NtBuffer m_memoryLists{NtClass::MemoryLists, kMemoryLists};
  NtBuffer m_timeOfDay{NtClass::TimeOfDay, kTimeOfDay};
  std::optional<NtCounters> m_counters;
  NtLists m_lists = NtLists::None;
  std::optional<std::uint64_t> m_sum;  // of both lists
  MonotonicTime m_sumTime;
};

}  // namespace faultline
