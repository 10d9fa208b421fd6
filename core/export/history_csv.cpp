#include "core/export/history_csv.h"

#include <array>
#include <cmath>

#include "core/export/csv.h"
#include "core/model/metric.h"
#include "core/text/iso_time.h"
#include "core/text/number.h"

namespace faultline {
namespace {

struct Counter {
  Series series;
  ProcessMetric metric;
};
constexpr std::array kCounters{
    Counter{Series::MinorRate, ProcessMetric::MinorFaults},
    Counter{Series::MajorRate, ProcessMetric::MajorFaults},
    Counter{Series::ZeroedRate, ProcessMetric::ZeroedBytes},
    Counter{Series::ZeroingTimeRate, ProcessMetric::ZeroingTime},
    Counter{Series::FaultTimeRate, ProcessMetric::FaultTime},
    Counter{Series::MajorFaultTimeRate, ProcessMetric::MajorFaultTime},
};
constexpr std::array kLevels{Series::CommitBytes, Series::ResidentBytes};

const std::optional<SeriesPart>& part(const Stretch& stretch, Series series) {
  return stretch.series[static_cast<std::size_t>(series)];
}

void appendWhole(double value, std::string& out) {
  appendNumber(static_cast<std::uint64_t>(std::llround(value)), out);
}

// History keeps rates to 24 bits. Counts are whole numbers, and memory is cleared in pages of 4 KiB at the least: where
// the next such number is as near as 24 bits can tell, the difference was just that.
double difference(const SeriesPart& rate, Unit unit) {
  constexpr double kPage = 4096;
  constexpr double kPrecision = 0x1p-22;
  const double sum = double{rate.mean} * static_cast<double>(rate.known.count()) / 1e9;
  const double pages = std::round(sum / kPage) * kPage;
  return unit == Unit::Bytes && std::abs(sum - pages) <= sum * kPrecision ? pages : sum;
}

void appendSum(const Stretch& stretch, const Counter& counter, std::string& out) {
  out += ',';
  if (const auto& rate = part(stretch, counter.series)) appendWhole(difference(*rate, field(counter.metric).unit), out);
}

void appendMean(const Stretch& stretch, Series series, std::string& out) {
  out += ',';
  if (const auto& rate = part(stretch, series); rate && rate->rated) appendNumber(rate->mean, out);
}

void appendPeak(const Stretch& stretch, Series series, std::string& out) {
  out += ',';
  if (const auto& rate = part(stretch, series); rate && rate->rated) appendNumber(rate->max, out);
}

void appendLevel(const Stretch& stretch, Series series, float SeriesPart::* which, std::string& out) {
  out += ',';
  if (const auto& level = part(stretch, series)) appendWhole((*level).*which, out);
}

void appendRow(const History& history, const ProcessKey& key, const std::string& name, const Stretch& stretch,
               std::string& out) {
  out += isoTime(history.wall(stretch.start));
  for (const std::int64_t number : {stretch.start.sinceEpoch.count(), (stretch.end - stretch.start).count(),
                                    Nanoseconds::rep{key.pid}, static_cast<Nanoseconds::rep>(key.startTime)}) {
    out += ',';
    appendNumber(number, out);
  }
  out += ',' + name;
  appendMean(stretch, Series::MinorRate, out);
  appendPeak(stretch, Series::MinorRate, out);
  appendMean(stretch, Series::MajorRate, out);
  appendMean(stretch, Series::ZeroedRate, out);
  for (const Series level : kLevels) appendLevel(stretch, level, &SeriesPart::mean, out);
  out += ',';
  appendNumber(std::int64_t{stretch.interval.count()}, out);
  out += ',';
  appendNumber(std::uint64_t{stretch.samples}, out);
  out += stretch.gapBefore ? ",1" : ",0";
  for (const Counter& counter : kCounters) appendSum(stretch, counter, out);
  for (const Series rate : {Series::MajorRate, Series::ZeroedRate}) appendPeak(stretch, rate, out);
  for (const Series rate : {Series::ZeroingTimeRate, Series::FaultTimeRate, Series::MajorFaultTimeRate}) {
    appendMean(stretch, rate, out);
    appendPeak(stretch, rate, out);
  }
  for (const Series level : kLevels) appendLevel(stretch, level, &SeriesPart::max, out);
  out += "\r\n";
}

}  // namespace

std::string historyCsvHeader() {
  std::string header =
      "wall_time,monotonic_ns,duration_ns,pid,start_time,name,minor_faults_per_s,minor_faults_per_s_peak,"
      "major_faults_per_s,zeroed_bytes_per_s,commit_bytes,resident_bytes,interval_ns,samples,gap";
  for (const Counter& counter : kCounters) header.append(",").append(field(counter.metric).name);
  return header +
         ",major_faults_per_s_peak,zeroed_bytes_per_s_peak,zeroing_ns_per_s,zeroing_ns_per_s_peak,fault_ns_per_s,"
         "fault_ns_per_s_peak,major_fault_ns_per_s,major_fault_ns_per_s_peak,commit_bytes_peak,resident_bytes_peak\r\n";
}

void appendHistoryCsv(const History& history, MonotonicTime from, MonotonicTime to, std::string& out) {
  for (const ProcessKey& key : history.aliveBetween(from, to)) {
    const std::string name = csvField(csvName(history.name(key).value_or("")));
    for (const Stretch& stretch : history.stretches(key, from, to)) appendRow(history, key, name, stretch, out);
  }
}

}  // namespace faultline
