#include "core/compare/frame_cost.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/base/median.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

// The five intervals of two runs hold together with kCostConfidence, each of them with 99.8 %.
constexpr double kStudent = 3.396;        // Student's t at 99.8 %, of 29 degrees of freedom
constexpr std::size_t kSignedRanks = 82;  // Wilcoxon's signed ranks at 99.8 %, of 30 pairs: the sums that are left out

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

CostChange changeOfMean(FrameCost cost, const Pieces& first, const Pieces& second) {
  CostChange change{.cost = cost, .before = meanOf(first), .after = meanOf(second)};
  const double ratio = change.before > 0 ? change.after / change.before : 0;
  double squares = 0;
  for (std::size_t i = 0; i < kPieces; ++i) {
    const double rest = second.at(i) - ratio * first.at(i) - (change.before > 0 ? 0 : change.after);
    squares += rest * rest;
  }
  const double error = kStudent * std::sqrt(squares / (kPieces - 1) / kPieces);
  change.low = change.after - change.before - error;
  change.high = change.after - change.before + error;
  return change;
}

double middle(const Pieces& pieces) {
  return *median(std::vector<double>(pieces.begin(), pieces.end()));
}

CostChange changeOfUsual(FrameCost cost, const Pieces& first, const Pieces& second) {
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
  change.low = means[kSignedRanks];
  change.high = means[means.size() - 1 - kSignedRanks];
  return change;
}

std::string amountText(FrameCost cost, double amount) {
  const auto whole = static_cast<std::uint64_t>(std::llround(amount));
  if (cost == FrameCost::FaultTime) return formatDuration(Nanoseconds(std::llround(amount)));
  if (cost == FrameCost::Zeroed) return formatBytes(whole);
  return amount < 1000 ? fmt::format("{:.1f}", amount) : formatCount(whole);
}

struct Named {
  std::string_view name;  // in JSON
  std::string_view words;
};
constexpr std::array<Named, 3> kCosts{{
    {"faults", "page faults"},
    {"fault_ns", "in page faults"},
    {"zeroed_bytes", "of memory cleared"},
}};

constexpr std::array<Named, 3> kVerdicts{{
    {"no_difference_certain", "No difference is certain"},
    {"worse", "Worse"},
    {"better", "Better"},
}};

const Named& namesOf(FrameCost cost) {
  return kCosts.at(static_cast<std::size_t>(cost));
}
const Named& namesOf(CostVerdict verdict) {
  return kVerdicts.at(static_cast<std::size_t>(verdict));
}

}  // namespace

CostVerdict CostChange::verdict() const {
  if (low > kLeastChange * before) return CostVerdict::Worse;
  return high < -kLeastChange * before ? CostVerdict::Better : CostVerdict::NoDifference;
}

std::optional<CostChange> costChange(FrameCost cost, bool usual, std::span<const double> before,
                                     std::span<const double> after) {
  if (before.size() < kFewestCosts || after.size() < kFewestCosts) return std::nullopt;
  const Pieces first = piecesOf(before, usual);
  const Pieces second = piecesOf(after, usual);
  return usual ? changeOfUsual(cost, first, second) : changeOfMean(cost, first, second);
}

std::string_view costName(FrameCost cost) {
  return namesOf(cost).name;
}

std::string_view verdictName(CostVerdict verdict) {
  return namesOf(verdict).name;
}

std::string costText(const CostChange& change) {
  std::string text = fmt::format("{}: {} to {} {} of {} frame", namesOf(change.verdict()).words,
                                 amountText(change.cost, change.before), amountText(change.cost, change.after),
                                 namesOf(change.cost).words, change.usual ? "a usual" : "a mean");
  if (change.before > 0) {
    const bool more = change.after >= change.before;
    const double percent = (more ? 100 : -100) / change.before;
    text += fmt::format(", {:.1f} % {} ({:.1f} to {:.1f})", percent * (change.after - change.before),
                        more ? "more" : "less", percent * (more ? change.low : change.high),
                        percent * (more ? change.high : change.low));
  }
  return text + ".";
}

}  // namespace faultline
