#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "core/lab/view/comparison.h"
#include "core/text/quantity.h"
#include "core/text/table.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

std::string spreadText(const std::optional<LabSpread>& spread) {
  return spread ? formatDuration(spread->median) : std::string(kUnavailable);
}

// `use` gets each row of `after` that `before` has, too, with both times: `there` is before.
template <class Use>
void forBoth(const LabReport& before, const LabReport& after, Use use) {
  for (const LabRow& row : after.rows)
    if (const LabPair pair = pairOf(row, &before); pair.here && pair.there) use(row, pair);
}

}  // namespace

std::vector<ComparedNumber> comparedNumbers(std::span<const LabReport> before, std::span<const LabReport> after) {
  std::vector<ComparedNumber> numbers;
  for (const LabReport& now : after) {
    const LabReport* const then = sameExperiment(before, now);
    if (then == nullptr) continue;
    forBoth(*then, now, [&](const LabRow& row, const LabPair& pair) {
      numbers.push_back({.name = fmt::format("{}: {}, {}", now.experiment, row.way, row.phase),
                         .unit = Unit::Duration,
                         .before = pair.there->median,
                         .after = pair.here->median});
    });
  }
  return numbers;
}

std::string comparedLabText(std::span<const LabReport> before, std::span<const LabReport> after) {
  std::string text;
  for (const LabReport& now : after) {
    const LabReport* const then = sameExperiment(before, now);
    if (then == nullptr) {
      text += now.experiment + " is in the second file alone.\n";
      continue;
    }
    TextTable table{.rows = {{now.experiment, "phase", "before", "after", "after / before"}},
                    .left = [](std::size_t column) { return column < 2; }};
    forBoth(*then, now, [&](const LabRow& row, const LabPair& pair) {
      const double ratio = pair.there->median > 0 ? pair.here->median / pair.there->median : 0;
      table.rows.push_back({row.way, row.phase, spreadText(pair.there), spreadText(pair.here),
                            ratio > 0 ? fmt::format("{:.2f}", ratio) : ""});
    });
    text += alignedTable(table);
    if (then->machine != now.machine) text += "  Before: " + then->machine + "; after: " + now.machine + ".\n";
  }
  for (const LabReport& then : before)
    if (sameExperiment(after, then) == nullptr) text += then.experiment + " is in the first file alone.\n";
  return text;
}

std::string comparedLabJson(std::span<const LabReport> before, std::span<const LabReport> after) {
  const auto spread = [](const LabSpread& time) {
    return Json{{"median_ns", time.median}, {"low_ns", time.low}, {"high_ns", time.high}};
  };
  Json experiments = Json::array();
  for (const LabReport& now : after) {
    const LabReport* const then = sameExperiment(before, now);
    if (then == nullptr) continue;
    Json rows = Json::array();
    forBoth(*then, now, [&](const LabRow& row, const LabPair& pair) {
      rows.push_back(
          {{"way", row.way}, {"phase", row.phase}, {"before", spread(*pair.there)}, {"after", spread(*pair.here)}});
    });
    experiments.push_back({{"experiment", now.experiment}, {"rows", rows}});
  }
  return Json{{"compare", {{"worse", nullptr}, {"experiments", experiments}}}}.dump(2) + "\n";
}

}  // namespace faultline
