#include "core/stat/guard.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "core/stat/text.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

// By its name, which is its command unless -n gave another.
const StatProgram* programLike(const StatReport& baseline, const StatProgram& program) {
  const auto found = std::ranges::find(baseline.programs, program.name, &StatProgram::name);
  return found == baseline.programs.end() ? nullptr : &*found;
}

std::string namesOf(const StatReport& report) {
  std::string names;
  for (const StatProgram& program : report.programs) names += (names.empty() ? "" : ", ") + printableName(program.name);
  return names;
}

std::vector<ProcessGrowth> processGrowths(const StatProgram& before, const StatProgram& now, double allowed) {
  std::vector<ProcessGrowth> growths;
  if (now.processes.size() < 2) return growths;
  for (const StatProcess& process : now.processes) {
    const auto then = std::ranges::find(before.processes, process.name, &StatProcess::name);
    const std::vector<double> none(before.processes.empty() ? 0 : before.processes.front().faults.size());
    const auto change =
        statChange(statFigure("faults"), then == before.processes.end() ? none : then->faults, process.faults, allowed);
    if (change && change->verdict == StatVerdict::Worse) growths.push_back({process.name, *change});
  }
  std::ranges::stable_sort(growths, std::greater(),
                           [](const ProcessGrowth& growth) { return growth.change.after - growth.change.before; });
  return growths;
}

void findCulprits(const StatProgram& before, const StatProgram& now, double allowed, Guarded& guarded) {
  guarded.processes = processGrowths(before, now, allowed);
  if (!now.callSites) return;
  if (!now.callSites->whyNot.empty()) guarded.noCallSites = now.callSites->whyNot;
  else if (!before.callSites) guarded.noCallSites = "The baseline has none. Make it anew to learn them.";
  else if (!before.callSites->whyNot.empty())
    guarded.noCallSites = "The baseline has none: " + before.callSites->whyNot;
  else guarded.callSites = siteGrowths(*before.callSites, *now.callSites);
}

}  // namespace

std::string whereGrown(const Guarded& guarded) {
  std::string text;
  double faults = 0;
  for (const StatChange& change : guarded.changes)
    if (change.figure == statFigure("faults")) faults = change.after - change.before;
  for (const ProcessGrowth& process : guarded.processes)
    text += (text.empty() ? "" : "; ") + printableName(process.name) + ": " + changeText(process.change);
  if (guarded.callSites.empty()) return text;
  return text + (text.empty() ? "" : ". ") + growthText(guarded.callSites, guarded.pageBytes, faults);
}

bool Guarded::has(StatVerdict verdict) const {
  return std::ranges::any_of(changes, [&](const StatChange& change) { return change.verdict == verdict; });
}

std::vector<std::string> placeChanges(const StatPlace& then, const StatPlace& now) {
  std::vector<std::string> changes = placeChanges(then.machine, now.machine);
  if (then.pageBytes != now.pageBytes)
    changes.push_back(fmt::format("pages have another size (was {} bytes)", then.pageBytes));
  if (then.allocator != now.allocator)
    changes.push_back(
        fmt::format("the allocator is another (was {})", then.allocator.empty() ? "unknown" : then.allocator));
  return changes;
}

Result<Guarded> guard(const StatReport& baseline, const StatReport& now, double allowed, bool times) {
  const StatProgram& program = now.programs.front();
  const StatProgram* const before = programLike(baseline, program);
  if (before == nullptr)
    return fail(
        fmt::format("The baseline is of another program ({}), not of {}. Name the program as there with -n, or "
                    "make a baseline of this one with --save.",
                    namesOf(baseline), printableName(program.name)));
  Guarded guarded{.name = program.name};
  if (!baseline.place || !now.place) guarded.otherPlace = {"the machine is not known"};
  else guarded.otherPlace = placeChanges(*baseline.place, *now.place);
  if (baseline.place && now.place && baseline.place->pageBytes != now.place->pageBytes)
    return fail(
        fmt::format("The baseline is of a machine with pages of {} bytes, and this one has pages of {}: their "
                    "page faults cannot be compared. Make a baseline here with --save.",
                    baseline.place->pageBytes, now.place->pageBytes));
  const Quality& then = baseline.qualities[statFigure("faults")];
  if (then.grade != now.qualities[statFigure("faults")].grade) guarded.countedOtherwise = then.how;
  const bool alike = guarded.otherPlace.empty();
  guarded.changes =
      statChanges(*before, program, allowed, times && alike ? StatJudged::CountsAndTimes : StatJudged::Counts);
  for (std::size_t i = 0; i < kStatFields.size(); ++i)
    if (kStatFields[i].guarded && before->values[i].empty() != program.values[i].empty())
      guarded.notJudged.emplace_back(kStatFields[i].title);
  guarded.pageBytes = now.place ? now.place->pageBytes : 0;
  if (guarded.has(StatVerdict::Worse)) findCulprits(*before, program, allowed, guarded);
  return guarded;
}

}  // namespace faultline
