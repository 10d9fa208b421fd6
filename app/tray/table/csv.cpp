#include "app/tray/table/csv.h"

#include <cmath>

#include "core/export/csv.h"

namespace faultline {
namespace {

// History keeps rates, a moment holds differences: over so long an interval that a rate's fraction survives.
constexpr Nanoseconds kPastInterval = std::chrono::seconds(1000);

void takeRate(const History& history, const ProcessKey& key, Series series, MonotonicTime time, ProcessMetric metric,
              ProcessDeltas& out) {
  if (const auto rate = history.at(key, series, time))
    out.set(metric,
            static_cast<std::uint64_t>(std::llround(*rate * std::chrono::duration<double>(kPastInterval).count())));
}

void takeLevel(const History& history, const ProcessKey& key, Series series, MonotonicTime time, ProcessMetric metric,
               ProcessValues& out) {
  if (const auto level = history.at(key, series, time))
    out.set(metric, static_cast<std::uint64_t>(std::llround(*level)));
}

ProcessRow pastRow(const History& history, const ProcessKey& key, MonotonicTime time) {
  ProcessRow row;
  row.key = key;
  row.name = history.name(key).value_or(std::string());
  takeRate(history, key, Series::MinorRate, time, ProcessMetric::MinorFaults, row.deltas);
  takeRate(history, key, Series::MajorRate, time, ProcessMetric::MajorFaults, row.deltas);
  takeRate(history, key, Series::ZeroedRate, time, ProcessMetric::ZeroedBytes, row.deltas);
  takeRate(history, key, Series::ZeroingTimeRate, time, ProcessMetric::ZeroingTime, row.deltas);
  takeRate(history, key, Series::SampledZeroingRate, time, ProcessMetric::SampledZeroingTime, row.deltas);
  takeRate(history, key, Series::FaultTimeRate, time, ProcessMetric::FaultTime, row.deltas);
  takeRate(history, key, Series::MajorFaultTimeRate, time, ProcessMetric::MajorFaultTime, row.deltas);
  takeLevel(history, key, Series::CommitBytes, time, ProcessMetric::CommitBytes, row.values);
  takeLevel(history, key, Series::ResidentBytes, time, ProcessMetric::ResidentBytes, row.values);
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
