#include "core/lab/summary.h"

#include <algorithm>
#include <cmath>

namespace faultline {
namespace {

double quantile(const std::vector<double>& sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<std::size_t>(place);
  const std::size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (sorted[above] - sorted[below]) * (place - static_cast<double>(below));
}

constexpr double kOtherFrequency = 0.05;  // counters that tell the frequency differ by less at rest

bool switched(const LabRow& row, const LabSample& sample) {
  return row.alone && sample.switches.value_or(0) > 0;
}

bool otherFrequency(const LabRow& row, const LabSample& sample) {
  return row.alone && std::abs(sample.frequency.value_or(1) - 1) > kOtherFrequency;
}

struct Times {
  std::vector<double> wall;
  std::vector<double> processor;

  void add(const LabSample& sample) {
    wall.push_back(static_cast<double>(sample.wall.count()));
    if (sample.processor) processor.push_back(static_cast<double>(sample.processor->count()));
  }
};

}  // namespace

std::optional<LabSpread> spreadOf(std::vector<double> values) {
  if (values.empty()) return std::nullopt;
  std::ranges::sort(values);
  return LabSpread{.median = quantile(values, 0.5), .low = quantile(values, 0.25), .high = quantile(values, 0.75)};
}

std::optional<LabSummary> summarize(const LabRow& row) {
  if (row.samples.empty()) return std::nullopt;
  LabSummary summary{.repetitions = row.samples.size()};
  Times all;
  Times quiet;
  std::vector<std::uint64_t> faults;
  for (const LabSample& sample : row.samples) {
    all.add(sample);
    if (switched(row, sample)) ++summary.switched;
    else if (otherFrequency(row, sample)) ++summary.otherFrequency;
    else quiet.add(sample);
    faults.push_back(sample.faults);
  }
  summary.wall = *spreadOf(all.wall);
  summary.processor = spreadOf(all.processor);
  if (summary.disturbed() > 0) {
    summary.quietWall = spreadOf(quiet.wall);
    summary.quietProcessor = spreadOf(quiet.processor);
  }
  std::ranges::sort(faults);
  summary.faults = faults[faults.size() / 2];
  summary.leastFaults = faults.front();
  summary.mostFaults = faults.back();
  return summary;
}

std::optional<LabSpread> labTime(const LabRow& row) {
  const auto summary = summarize(row);
  if (!summary) return std::nullopt;
  const auto& processor = summary->quietProcessor ? summary->quietProcessor : summary->processor;
  if (row.alone && processor) return processor;
  return summary->quietWall.value_or(summary->wall);
}

std::optional<double> growthExponent(std::span<const GrowthPoint> points) {
  double n = 0;
  double sumX = 0;
  double sumY = 0;
  double sumXX = 0;
  double sumXY = 0;
  for (const GrowthPoint& point : points) {
    if (!(point.count > 0) || !(point.time > 0)) continue;
    const double x = std::log(point.count);
    const double y = std::log(point.time);
    n += 1;
    sumX += x;
    sumY += y;
    sumXX += x * x;
    sumXY += x * y;
  }
  const double width = n * sumXX - sumX * sumX;
  if (n < 2 || width < 1e-9) return std::nullopt;
  return (n * sumXY - sumX * sumY) / width;
}

}  // namespace faultline
