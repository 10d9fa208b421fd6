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

template <class Level>
RawValues valuesOf(const Moment& moment, const ProcessDeltas& deltas, Level level) {
  RawValues values;
  for (std::size_t i = 0; i < kKeptCount; ++i) {
    const ProcessMetric metric = kKeptMetrics[i];
    const bool rate = weightOf(metric) == Weight::Time;
    values[i] = rate ? asFloat(moment.overInterval(deltas.get(metric))) : level(metric);
  }
  return values;
}

}  // namespace

RawValues keptValues(const Moment& moment, const ProcessRow& row) {
  return valuesOf(moment, row.deltas, [&](ProcessMetric metric) { return asFloat(row.values.get(metric)); });
}

RawValues keptTotals(const Moment& moment) {
  return valuesOf(moment, moment.processTotal,
                  [&](ProcessMetric metric) { return machineLevel(moment.system, metric); });
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
