// The series of the whole machine that History keeps: the rows of the field table that Windows alone has. Windows
// zeroes pages for nobody in particular, so that these numbers are its zeroing, and no process has a part of them.
#pragma once

#include <algorithm>

#include "core/history/life.h"

namespace faultline {

inline constexpr auto kMachineCount = static_cast<std::size_t>(
    std::ranges::count(kSystemFields, Systems::Windows, [](const auto& row) { return row.systems; }));
inline constexpr auto kMachineMetrics = [] {
  std::array<SystemMetric, kMachineCount> kept{};
  std::size_t count = 0;
  for (const auto& row : kSystemFields)
    if (row.systems == Systems::Windows) kept.at(count++) = row.metric;
  return kept;
}();

using MachineTracks = std::array<Tracks, kMachineCount>;  // of kMachineMetrics

// Index of a metric in kMachineMetrics; kMachineCount if the metric is not kept.
[[nodiscard]] constexpr std::size_t machinePlace(SystemMetric metric) {
  return static_cast<std::size_t>(std::ranges::find(kMachineMetrics, metric) - kMachineMetrics.begin());
}

[[nodiscard]] constexpr Weight weightOf(SystemMetric metric) {
  return field(metric).kind == MetricKind::Gauge ? Weight::Moments : Weight::Time;
}

}  // namespace faultline
