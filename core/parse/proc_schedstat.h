// /proc/PID/schedstat (Documentation/scheduler/sched-stats.rst): how often and how long the process' first thread has
// been on a CPU. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct ProcSchedstat {
  std::uint64_t runNanoseconds = 0;
  std::uint64_t runs = 0;  // never 0 for a process that exists

  bool operator==(const ProcSchedstat&) const = default;
};

// Nothing also where the kernel keeps no such statistics, which it then shows as zeros.
[[nodiscard]] std::optional<ProcSchedstat> parseProcSchedstat(std::string_view text);

}  // namespace faultline
