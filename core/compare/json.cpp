#include <nlohmann/json.hpp>

#include "core/base/ranked.h"
#include "core/compare/frame_runs.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

using Json = nlohmann::ordered_json;

Json runJson(const FrameRun& run) {
  return {{"frames", run.durations.size()},
          {"late_by_faults", run.hurt.size()},
          {"p50_ns", percentile(run.durations, 0.5).value_or(0)},
          {"p99_ns", percentile(run.durations, 0.99).value_or(0)}};
}

Json costJson(const CostChange& change) {
  const auto share = [&](double part) { return change.before > 0 ? Json(part / change.before) : Json(); };
  return {{"cost", costName(change.cost)},
          {"title", costTitle(change)},
          {"decides", decides(change.cost)},
          {"frame", change.usual ? "usual" : "mean"},
          {"before", change.before},
          {"after", change.after},
          {"change", share(change.after - change.before)},
          {"change_low", share(change.low)},
          {"change_high", share(change.high)},
          {"verdict", verdictName(change.verdict())}};
}

}  // namespace

std::string comparisonJson(const FrameRun& before, const FrameRun& after) {
  const RunComparison compared = compareRuns(before, after);
  Json costs = Json::array();
  for (const CostChange& change : compared.costs) costs.push_back(costJson(change));
  Json lines = Json::array();
  for (const std::string& line : compared.lines) lines.push_back(printableName(line));
  const Json document{{"before", runJson(before)},
                      {"after", runJson(after)},
                      {"late", {{"verdict", verdictName(compared.late)}, {"confidence", compared.confidence}}},
                      {"costs", costs},
                      {"confidence_of_costs", kCostConfidence},
                      {"worse", compared.worse},
                      {"text", lines}};
  return Json{{"compare", document}}.dump(2) + "\n";
}

}  // namespace faultline
