// What CSV and JSON have in common: the field table in order, and the name of a counter's rate.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "core/history/rates.h"
#include "core/model/metric.h"

namespace faultline {

template <class Metric, std::size_t Count>
[[nodiscard]] constexpr std::array<Metric, Count> metricsInOrder() {
  std::array<Metric, Count> metrics{};
  for (std::size_t i = 0; i < Count; ++i) metrics[i] = static_cast<Metric>(i);
  return metrics;
}

[[nodiscard]] constexpr auto allProcessMetrics() {
  return metricsInOrder<ProcessMetric, kProcessMetricCount>();
}
[[nodiscard]] constexpr auto allSystemMetrics() {
  return metricsInOrder<SystemMetric, kSystemMetricCount>();
}

[[nodiscard]] constexpr std::string_view gapName(Gap gap) {
  switch (gap) {
    case Gap::None:
      return "none";
    case Gap::First:
      return "first";
    case Gap::Suspended:
      return "suspended";
    case Gap::Late:
      return "late";
    case Gap::Backwards:
      return "backwards";
  }
  return "none";
}

[[nodiscard]] inline std::string rateName(const MetricField& field) {
  return std::string(field.name) + "_per_s";
}

}  // namespace faultline
