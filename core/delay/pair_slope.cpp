#include "core/delay/pair_slope.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace faultline {
namespace {

constexpr std::size_t kFewestOfStretch = 4;  // frames
constexpr double kTrimmed = 0.1;             // of the weight, at each end
constexpr double kFewestEqual = 5;           // pairs of equal weight that tell as much as these

struct Pair {
  double slope = 0;
  double weight = 0;
};

// 97.5th percentile of Student's t (Abramowitz and Stegun 26.7.5, two terms).
double studentsT(double freedom) {
  constexpr double kNormal = 1.959964;
  return kNormal + 2.3722 / freedom + 2.8225 / (freedom * freedom);
}

// The slopes of single pairs, of `added` and `lasted` without the part that the number of faults explains.
std::vector<Pair> singleSlopes(std::span<const PairSums> pairs) {
  PairSums::Products all;
  std::vector<PairSums::Products> each;
  for (const PairSums& pair : pairs) {
    const PairSums::Products one = pair.products();
    if (!pair.complete() || one.addedAdded <= 0) continue;
    all.faultsFaults += one.faultsFaults;
    all.faultsAdded += one.faultsAdded;
    all.faultsLasted += one.faultsLasted;
    each.push_back(one);
  }
  const double added = all.faultsFaults > 0 ? all.faultsAdded / all.faultsFaults : 0;
  const double lasted = all.faultsFaults > 0 ? all.faultsLasted / all.faultsFaults : 0;
  std::vector<Pair> single;
  for (const PairSums::Products& one : each) {
    const double weight = one.addedAdded - 2 * added * one.faultsAdded + added * added * one.faultsFaults;
    if (weight <= 1e-9 * one.addedAdded) continue;
    const double both =
        one.addedLasted - added * one.faultsLasted - lasted * one.faultsAdded + added * lasted * one.faultsFaults;
    single.push_back({both / weight, weight});
  }
  return single;
}

}  // namespace

// By Welford: frame times are large beside their differences.
void PairSums::add(const PairFrame& frame) {
  ++m_frames;
  m_delayed += frame.delayed ? 1 : 0;
  const auto count = static_cast<double>(m_frames);
  const double faults = frame.faults - m_faults;
  const double added = frame.added - m_added;
  m_faults += faults / count;
  m_added += added / count;
  m_lasted += (frame.lasted - m_lasted) / count;
  m_products.faultsFaults += faults * (frame.faults - m_faults);
  m_products.faultsAdded += faults * (frame.added - m_added);
  m_products.addedAdded += added * (frame.added - m_added);
  m_products.faultsLasted += faults * (frame.lasted - m_lasted);
  m_products.addedLasted += added * (frame.lasted - m_lasted);
}

bool PairSums::complete() const {
  return m_delayed >= kFewestOfStretch && m_frames - m_delayed >= kFewestOfStretch;
}

PairSums::Products PairSums::products() const {
  return m_products;
}

std::optional<PairSlope> slopeOf(std::span<const PairSums> pairs) {
  std::vector<Pair> single = singleSlopes(pairs);
  if (single.size() < kFewestPairs) return std::nullopt;
  std::ranges::sort(single, {}, &Pair::slope);
  double all = 0;
  double squares = 0;
  for (const Pair& pair : single) {
    all += pair.weight;
    squares += pair.weight * pair.weight;
  }
  const double equal = all * all / squares;
  if (equal < kFewestEqual) return std::nullopt;
  // Of each pair the part of its weight that is inside; the slopes at both limits.
  double below = 0;
  double sum = 0;
  double lowest = single.back().slope;
  double highest = single.front().slope;
  for (const Pair& pair : single) {
    const double from = std::max(below, kTrimmed * all);
    const double to = std::min(below + pair.weight, (1 - kTrimmed) * all);
    below += pair.weight;
    if (to <= from) continue;
    sum += (to - from) * pair.slope;
    lowest = std::min(lowest, pair.slope);
    highest = std::max(highest, pair.slope);
  }
  const double kept = (1 - 2 * kTrimmed) * all;
  const double slope = sum / kept;
  double spread = 0;
  for (const Pair& pair : single) {
    const double away = pair.weight * (std::clamp(pair.slope, lowest, highest) - slope);
    spread += away * away;
  }
  const double error = std::sqrt(spread * equal / (equal - 1)) / kept;
  const double reach = studentsT((1 - 2 * kTrimmed) * equal - 1) * error;
  return PairSlope{.slope = slope, .low = slope - reach, .high = slope + reach, .pairs = single.size()};
}

}  // namespace faultline
