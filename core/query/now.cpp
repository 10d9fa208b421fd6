#include "core/query/now.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/export/json.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

struct Shown {
  ProcessMetric metric;
  std::string_view words;  // after the number
};
constexpr Shown kRates[]{{ProcessMetric::MinorFaults, "minor/s"},
                         {ProcessMetric::MajorFaults, "major/s"},
                         {ProcessMetric::FaultTime, "/s in faults"},
                         {ProcessMetric::ZeroedBytes, "/s zeroed"}};

std::string rateText(Unit unit, double rate) {
  if (unit == Unit::Bytes) return formatBytes(static_cast<std::uint64_t>(std::llround(rate)));
  if (unit == Unit::Duration) return formatDuration(rate);
  return formatRate(rate) + " ";
}

std::string lineOf(const Monitor& monitor, const Moment& now, const ProcessRow& row) {
  std::string line = printableName(row.name) + ":";
  const auto add = [&](ProcessMetric metric, const std::string& text) {
    const bool estimated = monitor.hello().quality(metric).grade == Grade::Estimated;
    line += (line.back() == ':' ? " " : ", ") + std::string(estimated ? "≈ " : "") + text;
  };
  for (const Shown& shown : kRates)
    if (const auto rate = now.perSecond(row.deltas.get(shown.metric)))
      add(shown.metric, rateText(field(shown.metric).unit, *rate) + std::string(shown.words));
  if (const auto commit = row.values.get(ProcessMetric::CommitBytes))
    add(ProcessMetric::CommitBytes, formatBytes(*commit) + " commit");
  return line + "\n";
}

}  // namespace

Result<std::string> answerNow(const Monitor& monitor, std::string_view question) {
  constexpr std::string_view kJson = " json";
  const bool json = question.ends_with(kJson);
  if (json) question.remove_suffix(kJson.size());
  std::uint32_t pid = 0;
  const char* const end = question.data() + question.size();
  if (std::from_chars(question.data(), end, pid) != std::from_chars_result{end, std::errc()})
    return fail("The question is no pid.");
  const Moment& now = monitor.now();
  const auto row = std::ranges::find_if(now.rows.rbegin(), now.rows.rend(),
                                        [&](const ProcessRow& each) { return each.key.pid == pid && !each.exited; });
  if (row == now.rows.rend()) return fail("There is no process " + std::to_string(pid) + ".");
  if (!json) return lineOf(monitor, now, *row);
  Moment one = now;
  one.rows = {*row};
  return toJson(monitor.hello()) + "\n" + toJson(one) + "\n";
}

}  // namespace faultline
