// Keeps rows in place while their rates waver: each rate has a slow moving average, by which rows are sorted.
#pragma once

#include "app/tray/processes/entry.h"

namespace faultline {

inline constexpr int kAveragedSeconds = 5;  // the time in which the weight of a sample sinks to 1/e

// `passed`: since the last average. Returns the weight of the newest value.
[[nodiscard]] double averageWeight(Nanoseconds passed);
void average(ProcessEntry& entry, double weight);

}  // namespace faultline
