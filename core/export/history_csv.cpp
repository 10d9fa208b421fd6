#include "core/export/history_csv.h"

#include <cmath>
#include <limits>

#include "core/export/csv.h"
#include "core/text/iso_time.h"
#include "core/text/number.h"

namespace faultline {
namespace {

void appendLevel(std::optional<float> bytes, std::string& out) {
  out += ',';
  if (bytes) appendNumber(static_cast<std::uint64_t>(std::llround(*bytes)), out);
}

void appendRow(const History& history, const ProcessKey& key, const std::string& name, const Bucket& minor,
               std::string& out) {
  out += isoTime(history.wall(minor.start));
  for (const std::int64_t number : {minor.start.sinceEpoch.count(), (minor.end - minor.start).count(),
                                    Nanoseconds::rep{key.pid}, static_cast<Nanoseconds::rep>(key.startTime)}) {
    out += ',';
    appendNumber(number, out);
  }
  out += ',' + name + ',';
  appendNumber(minor.mean, out);
  out += ',';
  appendNumber(minor.max, out);
  for (const Series rate : {Series::MajorRate, Series::ZeroedRate}) {
    out += ',';
    if (const auto value = history.at(key, rate, minor.end)) appendNumber(*value, out);
  }
  for (const Series level : {Series::CommitBytes, Series::ResidentBytes})
    appendLevel(history.at(key, level, minor.end), out);
  out += "\r\n";
}

}  // namespace

std::string historyCsvHeader() {
  return "wall_time,monotonic_ns,duration_ns,pid,start_time,name,minor_faults_per_s,minor_faults_per_s_peak,"
         "major_faults_per_s,zeroed_bytes_per_s,commit_bytes,resident_bytes\r\n";
}

void appendHistoryCsv(const History& history, MonotonicTime from, MonotonicTime to, std::string& out) {
  constexpr std::size_t kEverything = std::numeric_limits<std::size_t>::max() / 4;
  for (const ProcessKey& key : history.aliveBetween(from, to)) {
    const std::string name = csvField(csvName(history.name(key).value_or("")));
    for (const Bucket& bucket : history.process(key, Series::MinorRate, from, to, kEverything))
      appendRow(history, key, name, bucket, out);
  }
}

}  // namespace faultline
