// /proc/PID/schedstat (Documentation/scheduler/sched-stats.rst): CPU time and runs of the process's first thread. Pure.
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

// Absent also if the kernel keeps no such statistics, in which case all fields are zero.
[[nodiscard]] std::optional<ProcSchedstat> parseProcSchedstat(std::string_view text);

}  // namespace faultline
