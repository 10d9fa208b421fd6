#include "core/export/csv.h"

#include <span>

#include "core/export/columns.h"
#include "core/text/iso_time.h"
#include "core/text/number.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

// The metrics before the column `exited`; newer metrics follow after all older columns.
constexpr auto kAll = allProcessMetrics();
constexpr std::size_t kFirst = static_cast<std::size_t>(ProcessMetric::ParentPid) + 1;
std::span<const ProcessMetric> firstMetrics() {
  return std::span(kAll).first(kFirst);
}
std::span<const ProcessMetric> laterMetrics() {
  return std::span(kAll).subspan(kFirst);
}

void appendMetric(ProcessMetric metric, const Moment& moment, const ProcessRow& row, std::string& out) {
  out += ',';
  if (const auto value = row.values.get(metric)) appendNumber(*value, out);
  if (field(metric).kind != MetricKind::Counter) return;
  out += ',';
  if (const auto rate = moment.perSecond(row.deltas.get(metric))) appendNumber(*rate, out);
}

void appendNames(std::span<const ProcessMetric> metrics, std::string& out) {
  for (const ProcessMetric metric : metrics) {
    out.append(",").append(field(metric).name);
    if (field(metric).kind == MetricKind::Counter) out.append(",").append(rateName(field(metric).name));
  }
}

void appendRow(std::string_view wallTime, const Moment& moment, const ProcessRow& row, std::string& out) {
  out += wallTime;
  out += ',';
  appendNumber(std::int64_t{moment.time.sinceEpoch.count()}, out);
  out += ',';
  appendNumber(std::uint64_t{row.key.pid}, out);
  out += ',';
  appendNumber(row.key.startTime, out);
  out += ',';
  out += csvField(csvName(row.name));
  for (const ProcessMetric metric : firstMetrics()) appendMetric(metric, moment, row, out);
  out += row.exited ? ",1," : ",0,";
  appendNumber(std::int64_t{moment.interval.count()}, out);
  out.append(",").append(gapName(moment.gap)).append(row.born ? ",1" : ",0");
  for (const ProcessMetric metric : laterMetrics()) appendMetric(metric, moment, row, out);
  out += "\r\n";
}

}  // namespace

std::string csvHeader() {
  std::string header = "wall_time,monotonic_ns,pid,start_time,name";
  appendNames(firstMetrics(), header);
  header += ",exited,interval_ns,gap,born";
  appendNames(laterMetrics(), header);
  return header + "\r\n";
}

void appendCsv(const Moment& moment, std::string& out) {
  const std::string wallTime = isoTime(moment.wallTime);
  for (const ProcessRow& row : moment.rows) appendRow(wallTime, moment, row, out);
}

void appendCsvRow(const Moment& moment, const ProcessRow& row, std::string& out) {
  appendRow(isoTime(moment.wallTime), moment, row, out);
}

std::string csvField(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"') quoted += '"';
    quoted += c;
  }
  return quoted + '"';
}

std::string csvName(std::string_view rawName) {
  static constexpr std::string_view kGuarded = "=+-@\t\r\n'";
  const bool guard = !rawName.empty() && kGuarded.find(rawName.front()) != std::string_view::npos;
  return (guard ? "'" : "") + validUtf8(rawName);
}

}  // namespace faultline
