// The statistics of a lab's row: medians with quartiles, with and without disturbed repetitions. Times are in ns.
#pragma once

#include <optional>
#include <span>

#include "core/lab/report.h"

namespace faultline {

struct LabSpread {
  double median = 0;
  double low = 0;  // first quartile
  double high = 0;

  bool operator==(const LabSpread&) const = default;
};

struct LabSummary {
  std::size_t repetitions = 0;
  // Of rows that are `alone`: repetitions with an involuntary context switch, and others whose processor was much
  // faster or slower at the end than at the begin.
  std::size_t switched = 0;
  std::size_t otherFrequency = 0;
  LabSpread wall{};
  std::optional<LabSpread> processor{};
  // Without the disturbed repetitions; absent if none or all are disturbed.
  std::optional<LabSpread> quietWall{};
  std::optional<LabSpread> quietProcessor{};
  std::uint64_t faults = 0;  // median
  std::uint64_t leastFaults = 0;
  std::uint64_t mostFaults = 0;

  [[nodiscard]] std::size_t disturbed() const { return switched + otherFrequency; }
};

// Absent if there are no values. Between two values, quantiles are interpolated.
[[nodiscard]] std::optional<LabSpread> spreadOf(std::vector<double> values);
// Absent if the row has no samples.
[[nodiscard]] std::optional<LabSummary> summarize(const LabRow& row);

// The time that counts: thread CPU time where it is measured, for rows that are `alone`, else wall time; without
// disturbed repetitions, if others remain. Absent if the row has no samples.
[[nodiscard]] std::optional<LabSpread> labTime(const LabRow& row);

struct GrowthPoint {
  double count = 0;
  double time = 0;
};
// The exponent e of time ~ count^e by least squares on logarithms. Points with a value not above 0 are ignored; absent
// with fewer than two different counts.
[[nodiscard]] std::optional<double> growthExponent(std::span<const GrowthPoint> points);

}  // namespace faultline
