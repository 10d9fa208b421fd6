// ZeroThreads: the threads that zero free pages in the background, and what they have done. They are those of process 4
// with base priority 0, which no other thread can have (Microsoft, Scheduling Priorities); the priority itself is
// raised to 1 when they wake, and there may be one or many. Sums are per thread, so they only grow, whoever comes and
// goes.
#pragma once

#include <optional>
#include <vector>

#include "core/parse/nt_processes.h"
#include "platform/sampling/nt/functions.h"

namespace faultline {

inline constexpr std::uint32_t kSystemProcess = 4;

struct ZeroThreadTotals {
  std::size_t threads = 0;       // there are now
  std::uint64_t kernelTime = 0;  // 100 ns, in ticks of the scheduler
  std::uint64_t switches = 0;
  std::optional<std::uint64_t> cycles;  // absent while one of them cannot be asked

  bool operator==(const ZeroThreadTotals&) const = default;
};

class ZeroThreads {
 public:
  explicit ZeroThreads(const NtFunctions& nt) : m_nt(nt) {}
  ~ZeroThreads();
  ZeroThreads(const ZeroThreads&) = delete;
  ZeroThreads& operator=(const ZeroThreads&) = delete;

  // `system` is process 4 as it is now; each of its threads is opened once, when it is first seen.
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
