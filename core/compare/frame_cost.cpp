#include "core/compare/frame_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/base/median.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

// Student's t of kPieces - 1 degrees of freedom: beyond ±t lies the share `outside`.
double studentsT(double outside) {
  static_assert(kPieces % 2 == 0);  // the series is that of odd degrees
  const auto within = [](double t) {
    const double angle = std::atan(t / std::sqrt(kPieces - 1.0));
    double term = std::cos(angle);
    double sum = term;
    for (double i = 3; i < kPieces - 1; i += 2) sum += term *= std::cos(angle) * std::cos(angle) * (i - 1) / i;
    return 2 / std::numbers::pi * (angle + std::sin(angle) * sum);
  };
  double low = 0;
  for (double step = 64; step > 1e-9; step /= 2)
    if (within(low + step) < 1 - outside) low += step;
  return low;
}

// Wilcoxon's signed ranks of kPieces pairs: how many sums are left out at each end.
std::size_t signedRanks(double outside) {
  std::array<double, kPieces*(kPieces + 1) / 2 + 1> share{std::exp2(-static_cast<double>(kPieces))};  // by the sum
  for (std::size_t rank = 1; rank <= kPieces; ++rank)
    for (std::size_t sum = share.size() - 1; sum >= rank; --sum) share.at(sum) += share.at(sum - rank);
  std::size_t cut = 0;
  for (double tail = share.front(); tail + share.at(cut + 1) <= outside / 2; ++cut) tail += share.at(cut + 1);
  return cut;
}

using Pieces = std::array<double, kPieces>;

Pieces piecesOf(std::span<const double> costs, bool usual) {
  Pieces pieces{};
  for (std::size_t i = 0; i < kPieces; ++i) {
    const std::size_t begin = i * costs.size() / kPieces;
    const auto piece = costs.subspan(begin, (i + 1) * costs.size() / kPieces - begin);
    pieces.at(i) = usual ? *median(std::vector<double>(piece.begin(), piece.end()))
                         : std::accumulate(piece.begin(), piece.end(), 0.0) / static_cast<double>(piece.size());
  }
  return pieces;
}

double meanOf(const Pieces& pieces) {
  return std::accumulate(pieces.begin(), pieces.end(), 0.0) / kPieces;
}

CostChange changeOfMean(FrameCost cost, const Pieces& first, const Pieces& second, double outside) {
  CostChange change{.cost = cost, .before = meanOf(first), .after = meanOf(second)};
  const double ratio = change.before > 0 ? change.after / change.before : 0;
  double squares = 0;
  for (std::size_t i = 0; i < kPieces; ++i) {
    const double rest = second.at(i) - ratio * first.at(i) - (change.before > 0 ? 0 : change.after);
    squares += rest * rest;
  }
  const double error = studentsT(outside) * std::sqrt(squares / (kPieces - 1) / kPieces);
  change.low = change.after - change.before - error;
  change.high = change.after - change.before + error;
  return change;
}

double middle(const Pieces& pieces) {
  return *median(std::vector<double>(pieces.begin(), pieces.end()));
}

CostChange changeOfUsual(FrameCost cost, const Pieces& first, const Pieces& second, double outside) {
  CostChange change{.cost = cost, .usual = true, .before = middle(first)};
  const bool ratios = std::ranges::all_of(first, [](double piece) { return piece > 0; });
  Pieces changes{};
  for (std::size_t i = 0; i < kPieces; ++i) {
    const double apart = second.at(i) - first.at(i);
    changes.at(i) = ratios ? apart / first.at(i) * change.before : apart;
  }
  std::vector<double> means;  // of all pairs of changes
  for (std::size_t i = 0; i < kPieces; ++i)
    for (std::size_t j = 0; j <= i; ++j) means.push_back((changes.at(i) + changes.at(j)) / 2);
  std::ranges::sort(means);
  change.after = change.before + means[means.size() / 2];
  const std::size_t cut = signedRanks(outside);
  change.low = means[cut];
  change.high = means[means.size() - 1 - cut];
  return change;
}

std::string amountText(FrameCost cost, double amount) {
  const auto whole = static_cast<std::uint64_t>(std::llround(amount));
  if (!cost) return amount < 1000 ? fmt::format("{:.1f}", amount) : formatCount(whole);
  return field(*cost).unit == Unit::Bytes ? formatBytes(whole) : formatDuration(amount);
}

std::string titleOf(FrameCost cost) {
  return cost ? titleOf(field(*cost)) : "Page faults";
}

struct Named {
  std::string_view name;  // in JSON
  std::string_view words;
};
constexpr std::array<Named, 3> kVerdicts{{
    {"no_difference_certain", "No difference is certain"},
    {"worse", "Worse"},
    {"better", "Better"},
}};

const Named& namesOf(CostVerdict verdict) {
  return kVerdicts.at(static_cast<std::size_t>(verdict));
}

}  // namespace

CostVerdict CostChange::verdict() const {
  if (low > kLeastChange * before) return CostVerdict::Worse;
  return high < -kLeastChange * before ? CostVerdict::Better : CostVerdict::NoDifference;
}

std::optional<CostChange> costChange(FrameCost cost, bool usual, std::span<const double> before,
                                     std::span<const double> after, std::size_t intervals) {
  if (before.size() < kFewestCosts || after.size() < kFewestCosts) return std::nullopt;
  const Pieces first = piecesOf(before, usual);
  const Pieces second = piecesOf(after, usual);
  const double outside = (1 - kCostConfidence) / static_cast<double>(intervals);
  return usual ? changeOfUsual(cost, first, second, outside) : changeOfMean(cost, first, second, outside);
}

std::string_view costName(FrameCost cost) {
  return cost ? field(*cost).name : "faults";
}

std::string_view verdictName(CostVerdict verdict) {
  return namesOf(verdict).name;
}

std::string costTitle(const CostChange& change) {
  return titleOf(change.cost) + (change.usual ? " of a usual frame" : " of a mean frame");
}

std::string costText(const CostChange& change) {
  std::string title = costTitle(change);
  title.front() = static_cast<char>(std::tolower(static_cast<unsigned char>(title.front())));
  std::string text = fmt::format("{}: {}, {} to {}", namesOf(change.verdict()).words, title,
                                 amountText(change.cost, change.before), amountText(change.cost, change.after));
  if (change.before > 0) {
    const bool more = change.after >= change.before;
    const double percent = (more ? 100 : -100) / change.before;
    text += fmt::format(": {:.1f} % {} ({:.1f} to {:.1f})", percent * (change.after - change.before),
                        more ? "more" : "less", percent * (more ? change.low : change.high),
                        percent * (more ? change.high : change.low));
  }
  return text + ".";
}

}  // namespace faultline
