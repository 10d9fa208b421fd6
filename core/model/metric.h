// Lookups in the field table: the row of a metric, lists and sets of metrics.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/model/fields.h"

namespace faultline {

inline constexpr std::size_t kProcessMetricCount = kProcessFields.size();
inline constexpr std::size_t kSystemMetricCount = kSystemFields.size();

// The row of each number on the wire. Does not compile unless each number has one row and there are no gaps.
template <class Metric, std::size_t Count>
[[nodiscard]] consteval std::array<std::uint8_t, Count> rowsByNumber(
    const std::array<MetricField<Metric>, Count>& fields) {
  std::array<std::uint8_t, Count> rows{};
  std::array<bool, Count> found{};
  for (std::size_t row = 0; row < Count; ++row) {
    const auto number = static_cast<std::size_t>(fields[row].metric);
    if (number >= Count || found.at(number)) throw "a metric's number is missing or occurs twice";
    found.at(number) = true;
    rows.at(number) = static_cast<std::uint8_t>(row);
  }
  return rows;
}
inline constexpr auto kProcessRows = rowsByNumber(kProcessFields);
inline constexpr auto kSystemRows = rowsByNumber(kSystemFields);

[[nodiscard]] constexpr const MetricField<ProcessMetric>& field(ProcessMetric metric) {
  return kProcessFields.at(kProcessRows.at(static_cast<std::size_t>(metric)));
}
[[nodiscard]] constexpr const MetricField<SystemMetric>& field(SystemMetric metric) {
  return kSystemFields.at(kSystemRows.at(static_cast<std::size_t>(metric)));
}

// All metrics in order of their numbers on the wire. Exports list them in this order, so that newer metrics come last.
template <class Metric, std::size_t Count>
[[nodiscard]] consteval std::array<Metric, Count> metricsByNumber() {
  std::array<Metric, Count> metrics{};
  for (std::size_t i = 0; i < Count; ++i) metrics.at(i) = static_cast<Metric>(i);
  return metrics;
}
[[nodiscard]] constexpr auto allProcessMetrics() {
  return metricsByNumber<ProcessMetric, kProcessMetricCount>();
}
[[nodiscard]] constexpr auto allSystemMetrics() {
  return metricsByNumber<SystemMetric, kSystemMetricCount>();
}

// A set of metrics: bit N is set if `says` is true for the row of metric number N.
template <class Metric, std::size_t Count, class Says>
[[nodiscard]] constexpr std::uint32_t metricsThat(const std::array<MetricField<Metric>, Count>& fields, Says says) {
  std::uint32_t bits = 0;
  for (const auto& row : fields)
    if (says(row)) bits |= 1U << static_cast<unsigned>(row.metric);
  return bits;
}

inline constexpr auto kIsCounter = [](const auto& row) { return row.kind == MetricKind::Counter; };
inline constexpr std::uint32_t kProcessCounters = metricsThat(kProcessFields, kIsCounter);
inline constexpr std::uint32_t kSystemCounters = metricsThat(kSystemFields, kIsCounter);

// The metrics that history keeps: first those that need no privilege; each group is in the table's order.
inline constexpr std::size_t kKeptCount = [] {
  std::size_t count = 0;
  for (const auto& row : kProcessFields) count += row.kept ? 1 : 0;
  return count;
}();
inline constexpr auto kKeptMetrics = [] {
  std::array<ProcessMetric, kKeptCount> kept{};
  std::size_t count = 0;
  for (const Needs needs : {Needs::Nothing, Needs::Privilege})
    for (const auto& row : kProcessFields)
      if (row.kept && row.needs == needs) kept.at(count++) = row.metric;
  return kept;
}();
// Index of a metric in kKeptMetrics; kKeptCount if the metric is not kept.
[[nodiscard]] constexpr std::size_t keptPlace(ProcessMetric metric) {
  std::size_t place = 0;
  while (place < kKeptCount && kKeptMetrics.at(place) != metric) ++place;
  return place;
}

// The parts of FaultTime, in the order of FaultPartTimes (core/text/fault_parts.h).
inline constexpr std::array kFaultParts{ProcessMetric::FaultTimeOnProcessor, ProcessMetric::FaultTimeWaiting,
                                        ProcessMetric::FaultTimeBlocked,     ProcessMetric::FaultTimeOnDisk,
                                        ProcessMetric::FaultTimeInReclaim,   ProcessMetric::FaultTimeInCompaction};

// All that is known only of faults that were timed.
inline constexpr auto kFaultTimes = [] {
  std::array<ProcessMetric, kFaultParts.size() + 2> times{ProcessMetric::FaultTime, ProcessMetric::MajorFaultTime};
  for (std::size_t part = 0; part < kFaultParts.size(); ++part) times[part + 2] = kFaultParts[part];
  return times;
}();

}  // namespace faultline
