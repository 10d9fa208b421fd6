// The time, page faults and context switches of this process, and the time of all processors, for the lab. Counters
// are cumulative: measure by difference.
#pragma once

#include <cstdint>
#include <optional>

#include "core/base/units.h"
#include "core/lab/processors_usage.h"

namespace faultline {

struct LabUsage {
  Nanoseconds wall{0};                      // steady clock
  std::optional<Nanoseconds> processor{};   // absent: the system's clock is too coarse
  std::optional<Nanoseconds> system{};      // the part of it in the kernel, of a thread; absent: not counted
  std::uint64_t faults = 0;                 // minor and major
  std::uint64_t childFaults = 0;            // the part of them that ended children had
  std::optional<std::uint64_t> switches{};  // involuntary context switches; absent: not counted
};

// Of the calling thread. Windows counts faults for the whole process only.
[[nodiscard]] LabUsage threadUsage();
// Of all threads, and of ended children that were waited for.
[[nodiscard]] LabUsage processUsage();

// Absent: the system does not tell. In ticks of the system: 10 ms, 15.6 ms on Windows.
[[nodiscard]] std::optional<ProcessorsUsage> processorsUsage();

}  // namespace faultline
