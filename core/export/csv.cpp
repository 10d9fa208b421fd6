#include "core/export/csv.h"

#include "core/export/columns.h"
#include "core/text/iso_time.h"
#include "core/text/number.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

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
  for (const ProcessMetric metric : allProcessMetrics()) {
    out += ',';
    if (const auto value = row.values.get(metric)) appendNumber(*value, out);
    if (field(metric).kind != MetricKind::Counter) continue;
    out += ',';
    if (const auto rate = moment.perSecond(row.deltas.get(metric))) appendNumber(*rate, out);
  }
  out += row.exited ? ",1\r\n" : ",0\r\n";
}

}  // namespace

std::string csvHeader() {
  std::string header = "wall_time,monotonic_ns,pid,start_time,name";
  for (const ProcessMetric metric : allProcessMetrics()) {
    header.append(",").append(field(metric).name);
    if (field(metric).kind == MetricKind::Counter) header.append(",").append(rateName(field(metric)));
  }
  return header + ",exited\r\n";
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
