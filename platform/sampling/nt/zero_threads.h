// ZeroThreads: the zero-page threads and their work. Zero-page threads are those of process 4 with base priority 0,
// which no other thread can have (Microsoft, Scheduling Priorities); their current priority is raised to 1 when they
// wake. Sums are kept per thread, so that the totals only grow when threads start and end.
#pragma once

#include <optional>
#include <vector>

#include "core/parse/nt/processes.h"
#include "platform/sampling/nt/functions.h"

namespace faultline {

// The growth of a counter that may have been set back.
[[nodiscard]] inline std::uint64_t grown(std::uint64_t before, std::uint64_t after) {
  return after > before ? after - before : 0;
}

inline constexpr std::uint32_t kSystemProcess = 4;

struct ZeroThreadTotals {
  std::size_t threads = 0;              // living now
  std::uint64_t kernelTime = 0;         // in 100 ns, with the resolution of scheduler ticks
  std::uint64_t switches = 0;           // context switches
  std::optional<std::uint64_t> cycles;  // absent while the cycles of a thread cannot be read

  bool operator==(const ZeroThreadTotals&) const = default;
};

class ZeroThreads {
 public:
  explicit ZeroThreads(const NtFunctions& nt) : m_nt(nt) {}
  ~ZeroThreads();
  ZeroThreads(const ZeroThreads&) = delete;
  ZeroThreads& operator=(const ZeroThreads&) = delete;

  // `system` is process 4 of the current list. Each thread is opened once, when first seen.
  [[nodiscard]] ZeroThreadTotals look(const NtProcess& system);

 private:
  struct Known {
    NtThread last;  // as counted
    std::optional<std::uintptr_t> handle;
    std::uint64_t cycles = 0;
    bool there = true;
  };

  Known& knownAs(const NtThread& thread);
  void count(const NtThread& thread);
  void forgetAbsent();

  const NtFunctions& m_nt;
  std::vector<Known> m_known;
  ZeroThreadTotals m_totals;
  std::uint64_t m_cycles = 0;
};

}  // namespace faultline
