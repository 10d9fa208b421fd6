// NtSystemValues: the whole machine's numbers but those of its threads. What cannot be read in one sweep is absent from
// that sweep.
#pragma once

#include <optional>
#include <string>

#include "core/model/metric.h"
#include "core/parse/nt_system.h"
#include "platform/sampling/nt/buffer.h"

namespace faultline {

// Which counters somebody fills in here.
struct NtCounters {
  bool faults = false;
  bool copyOnWrite = false;
  bool transitions = false;
  bool demandZero = false;
  bool pageReads = false;

  bool operator==(const NtCounters&) const = default;
};
[[nodiscard]] NtCounters countersProvided(const NtPerformance& performance, bool trusted);

class NtSystemValues {
 public:
  NtSystemValues(const NtFunctions& nt, const Machine& machine) : m_nt(nt), m_machine(machine) {}

  [[nodiscard]] std::optional<NtPerformance> performance();
  // Errors: a sentence why there are none.
  [[nodiscard]] Result<NtMemoryLists> memoryLists();
  [[nodiscard]] std::optional<std::uint64_t> bootTime();

  // What could not be read at the start is not read later either: Hello has said so.
  void setProvided(std::optional<NtCounters> counters, bool memoryLists) {
    m_counters = counters;
    m_hasLists = memoryLists;
  }
  [[nodiscard]] SystemValues read();

 private:
  // Sizes of the structures in Windows 10; those of the last two are the only ones that are taken.
  static constexpr std::size_t kPerformance = 512;
  static constexpr std::size_t kMemoryLists = 176;
  static constexpr std::size_t kTimeOfDay = 48;

  const NtFunctions& m_nt;
  const Machine& m_machine;
  NtBuffer m_performance{NtClass::Performance, kPerformance};
  NtBuffer m_memoryLists{NtClass::MemoryLists, kMemoryLists};
  NtBuffer m_timeOfDay{NtClass::TimeOfDay, kTimeOfDay};
  std::optional<NtCounters> m_counters;
  bool m_hasLists = false;
};

}  // namespace faultline
