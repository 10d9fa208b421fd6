#include "core/history/kept_values.h"

#include "core/history/life.h"

namespace faultline {
namespace {

float asFloat(std::optional<std::uint64_t> value) {
  return value ? static_cast<float>(*value) : kAbsent;
}
float asFloat(std::optional<double> value) {
  return value ? static_cast<float>(*value) : kAbsent;
}

float machineLevel(const SystemValues& system, ProcessMetric metric) {
  if (metric == ProcessMetric::CommitBytes) return asFloat(system.get(SystemMetric::CommittedBytes));
  if (metric != ProcessMetric::ResidentBytes) return kAbsent;
  const auto all = system.get(SystemMetric::TotalBytes);
  const auto available = system.get(SystemMetric::AvailableBytes);
  return all && available && *all >= *available ? asFloat(std::optional(*all - *available)) : kAbsent;
}

constexpr bool isRate(ProcessMetric metric) {
  return weightOf(metric) == Weight::Time;
}
constexpr std::uint32_t kRates =
    metricsThat(kProcessFields, [](const auto& row) { return row.kept && isRate(row.metric); });
constexpr std::uint32_t kLevels =
    metricsThat(kProcessFields, [](const auto& row) { return row.kept && !isRate(row.metric); });
constexpr auto kPlaces = [] {
  std::array<std::uint8_t, kProcessMetricCount> places{};
  for (std::size_t i = 0; i < kKeptCount; ++i)
    places.at(static_cast<std::size_t>(kKeptMetrics.at(i))) = static_cast<std::uint8_t>(i);
  return places;
}();

float& valueOf(RawValues& values, ProcessMetric metric) {
  return values[kPlaces[static_cast<std::size_t>(metric)]];
}

// Visits only what is present: this runs for each process of each sweep, and most processes are idle.
RawValues ratesOf(const Moment& moment, const ProcessDeltas& deltas) {
  RawValues values = kAllAbsent;
  if (moment.interval.count() <= 0) return values;
  forEachMetric<ProcessMetric>(kRates & deltas.present(), [&](ProcessMetric metric) {
    const auto delta = deltas.get(metric);
    valueOf(values, metric) = *delta == 0 ? 0 : asFloat(moment.overInterval(delta));
  });
  return values;
}

}  // namespace

RawValues keptValues(const Moment& moment, const ProcessRow& row) {
  RawValues values = ratesOf(moment, row.deltas);
  forEachMetric<ProcessMetric>(kLevels & row.values.present(), [&](ProcessMetric metric) {
    valueOf(values, metric) = asFloat(row.values.get(metric));
  });
  return values;
}

RawValues keptTotals(const Moment& moment) {
  RawValues values = ratesOf(moment, moment.processTotal);
  forEachMetric<ProcessMetric>(
      kLevels, [&](ProcessMetric metric) { valueOf(values, metric) = machineLevel(moment.system, metric); });
  return values;
}

std::array<float, kMachineCount> keptMachine(const Moment& moment) {
  std::array<float, kMachineCount> values{};
  std::ranges::transform(kMachineMetrics, values.begin(), [&](SystemMetric metric) {
    const bool rate = weightOf(metric) == Weight::Time;
    return rate ? asFloat(moment.overInterval(moment.systemDeltas.get(metric))) : asFloat(moment.system.get(metric));
  });
  return values;
}

}  // namespace faultline
