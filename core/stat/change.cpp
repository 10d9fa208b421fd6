#include "core/stat/change.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/trial/run_text.h"

namespace faultline {
namespace {

// Student's t at 99.8 % (0.1 % at each end), of 1 to 30 degrees of freedom; for more, that of infinitely many is near.
constexpr std::array kStudent{318.3, 22.33, 10.21, 7.173, 5.893, 5.208, 4.785, 4.501, 4.297, 4.144,
                              4.025, 3.930, 3.852, 3.787, 3.733, 3.686, 3.646, 3.610, 3.579, 3.552,
                              3.527, 3.505, 3.485, 3.467, 3.450, 3.435, 3.421, 3.408, 3.396, 3.385};
constexpr double kOfMore = 3.3;
// The median of normal values spreads wider than their mean: by the square root of pi / 2, at most.
constexpr double kMedian = 1.2533;

double student(std::size_t freedom) {
  return freedom <= kStudent.size() ? kStudent.at(freedom - 1) : kOfMore;
}

double squaresAbout(double middle, std::span<const double> values) {
  double sum = 0;
  for (const double value : values) sum += (value - middle) * (value - middle);
  return sum;
}

std::string shareText(double share) {
  const double percent = 100 * std::abs(share);
  return fmt::format("{:.{}f} %", percent, percent < 0.0995 ? 3 : percent < 0.995 ? 2 : percent < 9.95 ? 1 : 0);
}

}  // namespace

std::optional<StatChange> statChange(std::size_t figure, std::span<const double> before, std::span<const double> after,
                                     double allowed) {
  const auto first = summaryOf(before);
  const auto second = summaryOf(after);
  const std::size_t count = before.size() + after.size();
  if (!first || !second || count < 3) return std::nullopt;
  StatChange change{.figure = figure, .before = first->median, .after = second->median};
  const double squares = squaresAbout(first->median, before) + squaresAbout(second->median, after);
  const double error = std::sqrt(squares / static_cast<double>(count - 2) *
                                 (1 / static_cast<double>(before.size()) + 1 / static_cast<double>(after.size())));
  change.noise = student(count - 2) * kMedian * error;
  const double growth = change.after - change.before;
  if (std::abs(growth) <= std::max(allowed * change.before, kStatFields.at(figure).floor)) return change;
  change.verdict = std::abs(growth) <= change.noise ? StatVerdict::Unclear
                   : growth > 0                     ? StatVerdict::Worse
                                                    : StatVerdict::Better;
  return change;
}

std::vector<StatChange> statChanges(const StatProgram& before, const StatProgram& after, double allowed,
                                    StatJudged judged) {
  std::vector<StatChange> changes;
  for (std::size_t figure = 0; figure < kStatFields.size(); ++figure) {
    const bool time = figure == statFigure("wall_ns") || figure == statFigure("cpu_ns");
    const bool bound = figure == statFigure("peak_bytes") && (before.peakAtMost || after.peakAtMost);
    if (bound || !(kStatFields[figure].guarded || (time && judged == StatJudged::CountsAndTimes))) continue;
    const auto change = statChange(figure, before.values[figure], after.values[figure], allowed);
    if (change) changes.push_back(*change);
  }
  return changes;
}

std::string changeText(const StatChange& change) {
  const StatField& named = kStatFields.at(change.figure);
  const auto amount = [&](double value) { return amountText(value, named.unit, Grade::Exact); };
  const double growth = change.after - change.before;
  std::string text = fmt::format("{}: {} to {}", named.title, amount(change.before), amount(change.after));
  if (growth != 0) text += fmt::format(", {} {}", amount(std::abs(growth)), growth > 0 ? "more" : "less");
  const auto share = change.share();
  if (!share) return text;
  return text + fmt::format(" ({}; noise {})", shareText(*share), shareText(change.noise / change.before));
}

std::string_view verdictName(StatVerdict verdict) {
  constexpr std::array<std::string_view, 4> kNames{"alike", "unclear", "worse", "better"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

}  // namespace faultline
