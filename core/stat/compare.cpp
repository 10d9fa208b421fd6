#include "core/stat/compare.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/text/quantity.h"

namespace faultline {
namespace {

bool hasProgram(const StatReport& report, const std::string& name) {
  return std::ranges::find(report.programs, name, &StatProgram::name) != report.programs.end();
}

}  // namespace

bool ComparedStats::worse() const {
  return std::ranges::any_of(programs, [](const Guarded& program) { return program.has(StatVerdict::Worse); });
}

Result<ComparedStats> compareStats(const StatReport& before, const StatReport& after, double allowed, bool times) {
  StatReport baseline = before;
  if (before.programs.size() == 1 && after.programs.size() == 1)
    baseline.programs.front().name = after.programs.front().name;
  ComparedStats compared;
  for (const StatProgram& program : baseline.programs)
    if (!hasProgram(after, program.name)) compared.onlyBefore.push_back(program.name);
  for (const StatProgram& program : after.programs) {
    if (!hasProgram(baseline, program.name)) {
      compared.onlyAfter.push_back(program.name);
      continue;
    }
    StatReport now = after;
    now.programs = {program};
    auto judged = guard(baseline, now, allowed, times);
    if (!judged) return tl::unexpected(judged.error());
    compared.programs.push_back(std::move(*judged));
  }
  return compared;
}

// Of several programs with their names before.
std::vector<ComparedNumber> comparedNumbers(const ComparedStats& compared) {
  std::vector<ComparedNumber> numbers;
  for (const Guarded& program : compared.programs)
    for (const StatChange& change : program.changes) {
      const StatField& named = kStatFields.at(change.figure);
      const double growth = change.after - change.before;
      numbers.push_back({.name = (compared.programs.size() > 1 ? program.name + ": " : "") + std::string(named.title),
                         .unit = named.unit,
                         .before = change.before,
                         .after = change.after,
                         .range = std::pair(growth - change.noise, growth + change.noise),
                         .confidence = kStatConfidence,
                         .verdict = verdictName(change.verdict)});
    }
  return numbers;
}

std::string comparedText(const ComparedStats& compared) {
  std::string text;
  for (const Guarded& program : compared.programs) text += (text.empty() ? "" : "\n") + guardTable(program);
  for (const std::string& name : compared.onlyBefore) text += printableName(name) + " is in the first file alone.\n";
  for (const std::string& name : compared.onlyAfter) text += printableName(name) + " is in the second file alone.\n";
  return text;
}

std::string comparedJson(const ComparedStats& compared) {
  using Json = nlohmann::ordered_json;
  const auto printable = [](const std::vector<std::string>& names) {
    Json list = Json::array();
    for (const std::string& name : names) list.push_back(printableName(name));
    return list;
  };
  Json programs = Json::array();
  for (const Guarded& program : compared.programs) programs.push_back(Json::parse(guardJson(program)).at("guard"));
  const Json document{{"worse", compared.worse()},
                      {"programs", programs},
                      {"only_before", printable(compared.onlyBefore)},
                      {"only_after", printable(compared.onlyAfter)}};
  return Json{{"compare", document}}.dump(2) + "\n";
}

}  // namespace faultline
