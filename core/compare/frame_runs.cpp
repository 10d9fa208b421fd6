#include "core/compare/frame_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "core/base/ranked.h"
#include "core/join/csv_rows.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr double kSure = 0.95;
constexpr double kPerFrames = 1000;  // costs are told per so many frames
constexpr std::size_t kShownCulprits = 20;
constexpr double kNotable = 0.001;  // of what all culprits cost
constexpr std::size_t kShownFrames = 10;

struct Culprit {
  double share = 0;
  std::string name;
};

// The reverse of culpritText(): "about 97.0 % in Level::load (level.cpp:212)".
std::optional<Culprit> parseCulprit(std::string_view text) {
  constexpr std::string_view kIn = "% in ";
  for (const std::string_view doubt : {"about ", "perhaps "})
    if (text.starts_with(doubt)) text.remove_prefix(doubt.size());
  const std::size_t in = text.find(kIn);
  if (in == std::string_view::npos) return std::nullopt;
  const auto percent = csvNumber({text.substr(0, text.find_first_not_of("0123456789."))}, 0);
  if (!percent) return std::nullopt;
  return Culprit{.share = *percent / 100, .name = std::string(text.substr(in + kIn.size()))};
}

// A JSON array of [name, share]; absent if it is none.
std::optional<std::vector<Culprit>> parseCulprits(std::string_view text) {
  const auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_array()) return std::nullopt;
  std::vector<Culprit> culprits;
  for (const auto& pair : json) {
    if (!pair.is_array() || pair.size() != 2 || !pair[0].is_string() || !pair[1].is_number()) return std::nullopt;
    culprits.push_back({.share = std::clamp(pair[1].get<double>(), 0.0, 1.0), .name = pair[0].get<std::string>()});
  }
  return culprits;
}

// All of them, else the main one.
std::vector<Culprit> culpritsOf(const std::vector<std::string_view>& row, std::optional<std::size_t> list,
                                std::optional<std::size_t> main) {
  if (list && *list < row.size())
    if (auto all = parseCulprits(unquoted(row[*list]))) return *std::move(all);
  const auto culprit = main && *main < row.size() ? parseCulprit(row[*main]) : std::nullopt;
  return culprit ? std::vector{*culprit} : std::vector<Culprit>();
}

std::string durationOf(double nanoseconds) {
  return formatDuration(nanoseconds);
}

double perFrames(double cost, const FrameRun& run) {
  return cost * kPerFrames / static_cast<double>(run.durations.size());
}

std::string costText(double cost, bool timed) {
  return timed ? durationOf(cost) : formatCount(static_cast<std::uint64_t>(std::llround(cost))) + " faults";
}

double lowOf(const FrameRun& run, double share) {
  return low(run.durations, share).value_or(0) * 1e9;
}

std::string describe(const char* name, const FrameRun& run) {
  return fmt::format(
      "{}: {} frames, p50 {}, p99 {}, 1 % low {:.1f} frames/s, 0.1 % low {:.1f} frames/s, {} late because of page "
      "faults.",
      name, formatCount(run.durations.size()), durationOf(percentile(run.durations, 0.5).value_or(0)),
      durationOf(percentile(run.durations, 0.99).value_or(0)), lowOf(run, 0.01), lowOf(run, 0.001),
      formatCount(run.hurt.size()));
}

double confidenceOf(const FrameRun& before, const FrameRun& after) {
  const auto first = static_cast<double>(before.durations.size());
  const auto second = static_cast<double>(after.durations.size());
  const double pooled = static_cast<double>(before.hurt.size() + after.hurt.size()) / (first + second);
  const double spread = std::sqrt(pooled * (1 - pooled) * (1 / first + 1 / second));
  if (!(spread > 0)) return 0;
  const double apart =
      static_cast<double>(after.hurt.size()) / second - static_cast<double>(before.hurt.size()) / first;
  return std::erf(std::abs(apart) / spread / std::sqrt(2.0));
}

// The frames that both runs have and of which only `from` has one that is late because of faults.
std::string numbersOf(const FrameRun& from, const FrameRun& to) {
  std::string text;
  std::size_t count = 0;
  for (const std::uint64_t number : from.hurt) {
    if (to.hurt.contains(number) || !to.frames.contains(number)) continue;
    if (++count <= kShownFrames) text += (text.empty() ? "" : ", ") + std::to_string(number);
  }
  return count > kShownFrames ? text + fmt::format(" and {} more", count - kShownFrames) : text;
}

// That the means of a cost per frame differ (Welch's test; of many frames).
double confidenceOf(const CulpritCost& before, double frames, const CulpritCost& after, double framesAfter) {
  const auto variance = [](const CulpritCost& cost, double count) {
    const double mean = cost.sum / count;
    return std::max(cost.squares / count - mean * mean, 0.0) / count;
  };
  const double spread = std::sqrt(variance(before, frames) + variance(after, framesAfter));
  const double apart = std::abs(before.sum / frames - after.sum / framesAfter);
  return spread > 0 ? std::erf(apart / spread / std::sqrt(2.0)) : 0;
}

struct Change {
  std::string_view name;
  double before = 0;  // per so many frames
  double after = 0;
  double confidence = 0;

  [[nodiscard]] double size() const { return std::abs(after - before); }
};

// Those that changed notably, the largest change first.
std::vector<Change> changesOf(const FrameRun& before, const FrameRun& after) {
  std::map<std::string_view, std::pair<CulpritCost, CulpritCost>> costs;
  for (const auto& [name, cost] : before.culprits) costs[name].first = cost;
  for (const auto& [name, cost] : after.culprits) costs[name].second = cost;
  std::vector<Change> changes;
  double all = 0;
  for (const auto& [name, cost] : costs) {
    const double confidence = confidenceOf(cost.first, static_cast<double>(before.durations.size()), cost.second,
                                           static_cast<double>(after.durations.size()));
    changes.push_back({name, perFrames(cost.first.sum, before), perFrames(cost.second.sum, after), confidence});
    all = std::max(all, changes.back().before + changes.back().after);
  }
  std::erase_if(changes, [&](const Change& change) { return change.size() <= kNotable * all; });
  std::ranges::sort(changes, {}, [](const Change& change) { return std::pair(-change.size(), change.name); });
  return changes;
}

void addCulprits(const FrameRun& before, const FrameRun& after, std::vector<std::string>& lines) {
  const std::vector<Change> changes = changesOf(before, after);
  lines.emplace_back(changes.empty() ? "No culprit of the frames hit by faults grew or shrank."
                                     : "Culprits of the frames hit by faults that grew or shrank:");
  const bool timed = before.inFaults.has_value();
  for (const Change& change : std::span(changes).first(std::min(kShownCulprits, changes.size())))
    lines.push_back(fmt::format("  {}: {} to {} per 1000 frames, {} with a confidence of {}",
                                printableName(change.name), costText(change.before, timed),
                                costText(change.after, timed), change.after > change.before ? "grew" : "shrank",
                                formatPercent(std::floor(change.confidence * 1000) / 1000)));
  if (changes.size() > kShownCulprits)
    lines.push_back(fmt::format("  {} more that changed less", formatCount(changes.size() - kShownCulprits)));
}

// Of all costs the mean, and of those that are no parts the usual frame, too, but for bytes, which come in bursts.
std::vector<CostChange> costChanges(const FrameRun& before, const FrameRun& after) {
  const auto costsOf = [](const FrameRun& run, FrameCost cost) -> std::span<const double> {
    const auto found = run.costs.find(cost);
    if (found == run.costs.end() || 2 * found->second.size() < run.durations.size()) return {};
    return found->second;
  };
  std::vector<CostChange> wanted;
  forEachFrameCost([&](FrameCost cost) {
    if (std::min(costsOf(before, cost).size(), costsOf(after, cost).size()) < kFewestCosts) return;
    wanted.push_back({.cost = cost});
    if (decides(cost) && (!cost || field(*cost).unit != Unit::Bytes)) wanted.push_back({.cost = cost, .usual = true});
  });
  for (CostChange& change : wanted)
    change = *costChange(change.cost, change.usual, costsOf(before, change.cost), costsOf(after, change.cost),
                         wanted.size());
  return wanted;
}

void addCosts(const RunComparison& result, std::vector<std::string>& lines) {
  for (const CostChange& change : result.costs)
    if (decides(change.cost) || change.verdict() != CostVerdict::NoDifference) lines.push_back(costText(change));
  lines.push_back(
      result.costs.empty()
          ? fmt::format("The faults of a frame are not compared: that needs {} frames of each run.", kFewestCosts)
          : fmt::format("The {} intervals of these runs hold together with a confidence of {}, as far as two runs "
                        "tell: how much runs of the same game differ takes more of them.",
                        result.costs.size(), formatPercent(kCostConfidence)));
}

}  // namespace

Result<FrameRun> readFrameRun(std::string_view csv) {
  csv = csv.substr(0, csv.rfind('\n') + 1);
  CsvRows rows(csv);
  const auto* const head = rows.next();
  if (head == nullptr) return fail("has no frames: it is empty.");
  const auto number = findColumn(*head, "frame");
  const auto duration = findColumn(*head, "duration_ns");
  const auto minor = findColumn(*head, "minor_faults");
  const auto major = findColumn(*head, "major_faults");
  const auto late = findColumn(*head, "late_by_faults");
  if (!number || !duration || !minor || !major || !late)
    return fail("is no file of 'faultline-cli frames --csv': it lacks a column such as late_by_faults.");
  const auto measured = findColumn(*head, "fault_ns");
  const auto estimated = findColumn(*head, "estimated_fault_ns");
  const auto culprit = findColumn(*head, "culprit");
  const auto list = findColumn(*head, "culprits");
  std::vector<std::pair<FrameMetric, std::size_t>> columns;
  for (const FrameField& row : kFrameFields)
    if (const auto column = isMean(row) ? findColumn(*head, row.name) : std::nullopt)
      columns.emplace_back(row.metric, *column);
  FrameRun run;
  std::map<std::string, CulpritCost> byFaults;
  while (const auto* const row = rows.next()) {
    const auto time = csvNumber(*row, *duration);
    const auto which = csvNumber(*row, *number);
    if (!time || !which || *time < 0 || *which < 0 || *which > 1e15)
      return fail("has a row without the number or the duration of its frame.");
    run.durations.push_back(*time);
    run.frames.insert(static_cast<std::uint64_t>(*which));
    const double faults = csvNumber(*row, *minor).value_or(0) + csvNumber(*row, *major).value_or(0);
    run.costs[{}].push_back(faults);
    for (const auto& [metric, column] : columns)
      if (const auto known = csvNumber(*row, column)) run.costs[metric].push_back(*known);
    if (csvNumber(*row, *late).value_or(0) > 0) run.hurt.insert(static_cast<std::uint64_t>(*which));
    double inFaults = 0;
    for (const auto& column : {measured, estimated}) {
      const auto known = column ? csvNumber(*row, *column) : std::nullopt;
      if (!known) continue;
      inFaults = *known;
      run.inFaults = run.inFaults.value_or(0) + inFaults;
      break;
    }
    for (const Culprit& found : culpritsOf(*row, list, culprit)) {
      run.culprits[found.name].add(found.share * inFaults);
      byFaults[found.name].add(found.share * faults);
    }
  }
  if (run.durations.empty()) return fail("has no frames.");
  if (!run.inFaults) run.culprits = std::move(byFaults);
  std::ranges::sort(run.durations);
  return run;
}

RunComparison compareRuns(const FrameRun& before, const FrameRun& after) {
  const double first = perFrames(static_cast<double>(before.hurt.size()), before);
  const double second = perFrames(static_cast<double>(after.hurt.size()), after);
  RunComparison result{.lateBefore = first, .lateAfter = second, .confidence = confidenceOf(before, after)};
  const bool sure = result.confidence >= kSure;
  if (sure) result.late = second > first ? CostVerdict::Worse : CostVerdict::Better;
  result.costs = costChanges(before, after);
  const auto isWorse = [](const CostChange& change) {
    return decides(change.cost) && change.verdict() == CostVerdict::Worse;
  };
  result.worse = result.late == CostVerdict::Worse || std::ranges::any_of(result.costs, isWorse);
  result.lines.push_back(fmt::format(
      "{}: {:.1f} to {:.1f} of 1000 frames late because of page faults, a difference with a confidence of {}.",
      !sure            ? "No difference is certain"
      : second > first ? "Worse"
                       : "Better",
      first, second, formatPercent(std::floor(result.confidence * 1000) / 1000)));
  addCosts(result, result.lines);
  result.lines.push_back(describe("before", before));
  result.lines.push_back(describe("after", after));
  if (before.inFaults && after.inFaults)
    result.lines.push_back(fmt::format("Time in faults per 1000 frames: {} to {}.",
                                       durationOf(perFrames(*before.inFaults, before)),
                                       durationOf(perFrames(*after.inFaults, after))));
  if (const std::string saved = numbersOf(before, after); !saved.empty())
    result.lines.push_back("Frames saved: " + saved + ".");
  if (const std::string lost = numbersOf(after, before); !lost.empty())
    result.lines.push_back("Frames newly late: " + lost + ".");
  if (before.inFaults.has_value() == after.inFaults.has_value() && !(before.culprits.empty() && after.culprits.empty()))
    addCulprits(before, after, result.lines);
  return result;
}

std::vector<ComparedNumber> comparedNumbers(const RunComparison& compared) {
  std::vector<ComparedNumber> numbers{{.name = "Frames late because of page faults, of 1000",
                                       .before = compared.lateBefore,
                                       .after = compared.lateAfter,
                                       .confidence = compared.confidence,
                                       .verdict = verdictName(compared.late)}};
  for (const CostChange& change : compared.costs)
    numbers.push_back({.name = costTitle(change),
                       .unit = change.cost ? field(*change.cost).unit : Unit::Count,
                       .before = change.before,
                       .after = change.after,
                       .range = std::pair(change.low, change.high),
                       .confidence = kCostConfidence,
                       .verdict = verdictName(change.verdict())});
  return numbers;
}

}  // namespace faultline
