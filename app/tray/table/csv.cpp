#include "app/tray/table/csv.h"

#include <cmath>

#include "core/export/csv.h"

namespace faultline {
namespace {

// History keeps rates, but a moment holds differences: the interval is so long that fractions of rates survive.
constexpr Nanoseconds kPastInterval = std::chrono::seconds(1000);

ProcessRow pastRow(const History& history, const ProcessKey& key, MonotonicTime time) {
  ProcessRow row;
  row.key = key;
  row.name = history.name(key).value_or(std::string());
  for (const ProcessMetric metric : kKeptMetrics) {
    const auto value = history.at(key, metric, time);
    if (!value) continue;
    const bool rate = field(metric).kind == MetricKind::Counter;
    const double whole = rate ? *value * std::chrono::duration<double>(kPastInterval).count() : double{*value};
    (rate ? row.deltas : row.values).set(metric, static_cast<std::uint64_t>(std::llround(whole)));
  }
  return row;
}

}  // namespace

std::string csvOf(const Monitor& monitor, const std::vector<ProcessKey>& keys, std::optional<MonotonicTime> instant) {
  std::string csv = csvHeader();
  if (!instant) {
    for (const ProcessKey& key : keys)
      if (const ProcessRow* row = monitor.now().find(key)) appendCsvRow(monitor.now(), *row, csv);
    return csv;
  }
  Moment past;
  past.time = *instant;
  past.wallTime = monitor.history().wall(*instant);
  past.interval = kPastInterval;
  past.gap = Gap::None;
  for (const ProcessKey& key : keys) appendCsvRow(past, pastRow(monitor.history(), key, *instant), csv);
  return csv;
}

}  // namespace faultline
