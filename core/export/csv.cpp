#include "core/export/csv.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>
#include <span>

#include "core/export/columns.h"
#include "core/text/iso_time.h"
#include "core/text/number.h"
#include "core/text/table.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

// The metrics before the column `exited`, and those before `service`; newer columns follow after all older ones.
constexpr auto kAll = allProcessMetrics();
constexpr std::size_t kBeforeExited = static_cast<std::size_t>(ProcessMetric::ParentPid) + 1;
constexpr std::size_t kBeforeService = static_cast<std::size_t>(ProcessMetric::Mappings) + 1;
std::span<const ProcessMetric> firstMetrics() {
  return std::span(kAll).first(kBeforeExited);
}
std::span<const ProcessMetric> laterMetrics() {
  return std::span(kAll).subspan(kBeforeExited, kBeforeService - kBeforeExited);
}
std::span<const ProcessMetric> newestMetrics() {
  return std::span(kAll).subspan(kBeforeService);
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

void appendPlace(std::string_view wallTime, MonotonicTime time, const ProcessKey& key, const std::string& name,
                 std::string& out) {
  out += wallTime;
  out += ',';
  appendNumber(std::int64_t{time.sinceEpoch.count()}, out);
  out += ',';
  appendNumber(std::uint64_t{key.pid}, out);
  out += ',';
  appendNumber(key.startTime, out);
  out += ',';
  out += csvField(csvName(name));
}

void appendRow(std::string_view wallTime, const Moment& moment, const ProcessRow& row, std::string& out) {
  appendPlace(wallTime, moment.time, row.key, row.name, out);
  for (const ProcessMetric metric : firstMetrics()) appendMetric(metric, moment, row, out);
  out += row.exited ? ",1," : ",0,";
  appendNumber(std::int64_t{moment.interval.count()}, out);
  out.append(",").append(gapName(moment.gap)).append(row.born ? ",1" : ",0");
  for (const ProcessMetric metric : laterMetrics()) appendMetric(metric, moment, row, out);
  out.append(",").append(csvField(csvName(row.service)));
  for (const ProcessMetric metric : newestMetrics()) appendMetric(metric, moment, row, out);
  out += "\r\n";
}

bool hasRates(const Stretch& stretch) {
  return std::ranges::any_of(stretch.series, [](const auto& part) { return part && part->rated; });
}

// The last samples until `time` that are long enough for rates, as History::at() has it.
std::optional<Stretch> stretchAt(const History& history, const ProcessKey& key, MonotonicTime time) {
  const auto known = [&](ProcessMetric metric) { return history.at(key, metric, time).has_value(); };
  if (std::ranges::none_of(kKeptMetrics, known)) return std::nullopt;
  const Nanoseconds all = time - *history.oldest();
  for (Nanoseconds back = std::chrono::seconds(1);; back *= 2) {
    const std::vector<Stretch> found = history.stretches(key, time - std::min(back, all), time);
    for (const Stretch& stretch : std::views::reverse(found))
      if (hasRates(stretch)) return stretch;
    if (back >= all) return found.empty() ? std::nullopt : std::optional(found.front());
  }
}

void appendPastMetric(ProcessMetric metric, const std::optional<Stretch>& stretch, std::string& out) {
  const bool counter = field(metric).kind == MetricKind::Counter;
  out += counter ? ",," : ",";
  if (!stretch || !field(metric).kept) return;
  const auto& known = stretch->of(metric);
  if (!known) return;
  if (counter) appendNumber(known->mean, out);
  else appendNumber(static_cast<std::uint64_t>(std::llround(known->mean)), out);
}

}  // namespace

std::string csvHeader() {
  std::string header = "wall_time,monotonic_ns,pid,start_time,name";
  appendNames(firstMetrics(), header);
  header += ",exited,interval_ns,gap,born";
  appendNames(laterMetrics(), header);
  header += ",service";
  appendNames(newestMetrics(), header);
  return header + "\r\n";
}

void appendCsv(const Moment& moment, std::string& out) {
  const std::string wallTime = isoTime(moment.wallTime);
  for (const ProcessRow& row : moment.rows) appendRow(wallTime, moment, row, out);
}

void appendCsvRow(const Moment& moment, const ProcessRow& row, std::string& out) {
  appendRow(isoTime(moment.wallTime), moment, row, out);
}

void appendPastCsvRow(const History& history, const ProcessKey& key, MonotonicTime time, std::string& out) {
  const std::optional<Stretch> stretch = stretchAt(history, key, time);
  const MonotonicTime when = stretch ? stretch->end : time;
  appendPlace(isoTime(history.wall(when)), when, key, history.name(key).value_or(std::string()), out);
  for (const ProcessMetric metric : firstMetrics()) appendPastMetric(metric, stretch, out);
  out += ",,";
  if (stretch) appendNumber(std::int64_t{stretch->interval.count()}, out);
  out += stretch && !stretch->gapBefore ? ",none," : ",,";
  for (const ProcessMetric metric : laterMetrics()) appendPastMetric(metric, stretch, out);
  out += ",";
  for (const ProcessMetric metric : newestMetrics()) appendPastMetric(metric, stretch, out);
  out += "\r\n";
}

std::string csvName(std::string_view rawName) {
  static constexpr std::string_view kGuarded = "=+-@\t\r\n'";
  const bool guard = !rawName.empty() && kGuarded.find(rawName.front()) != std::string_view::npos;
  return (guard ? "'" : "") + validUtf8(rawName);
}

}  // namespace faultline
