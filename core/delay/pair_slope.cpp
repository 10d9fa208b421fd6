#include "core/delay/pair_slope.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace faultline {
namespace {

constexpr double kFewestOfStretch = 4;  // frames
constexpr double kTrimmed = 0.1;        // of the weight, at each end
constexpr double kFewestEqual = 5;      // pairs of equal weight that tell as much as these

struct FramePair {
  double slope = 0;
  double weight = 0;
};

// 97.5th percentile of Student's t (Abramowitz and Stegun 26.7.5, two terms).
double studentsT(double freedom) {
  constexpr double kNormal = 1.959964;
  return kNormal + 2.3722 / freedom + 2.8225 / (freedom * freedom);
}

// The slopes of single pairs, without the part that the number of faults explains.
std::vector<FramePair> singleSlopes(std::span<const PairSums> pairs) {
  double faultsFaults = 0;
  double faultsLasted = 0;
  for (const PairSums& pair : pairs) {
    faultsFaults += pair.faultsFaults();
    faultsLasted += pair.faultsLasted();
  }
  const double perFault = faultsFaults > 0 ? faultsLasted / faultsFaults : 0;
  std::vector<FramePair> single;
  for (const PairSums& pair : pairs) {
    const PairFrame difference = pair.difference();
    if (!pair.complete() || difference.added <= 0) continue;
    single.push_back(
        {(difference.lasted - perFault * difference.faults) / difference.added, pair.weight() * difference.added});
  }
  return single;
}

}  // namespace

// By Welford: frame times are large beside their differences.
void PairSums::add(const PairFrame& frame) {
  Stretch& stretch = frame.delayed ? m_delayed : m_others;
  ++stretch.frames;
  const double faults = frame.faults - stretch.mean.faults;
  stretch.mean.faults += faults / stretch.frames;
  stretch.mean.added += (frame.added - stretch.mean.added) / stretch.frames;
  stretch.mean.lasted += (frame.lasted - stretch.mean.lasted) / stretch.frames;
  if (frame.delayed) return;
  m_faultsFaults += faults * (frame.faults - stretch.mean.faults);
  m_faultsLasted += faults * (frame.lasted - stretch.mean.lasted);
}

bool PairSums::complete() const {
  return m_delayed.frames >= kFewestOfStretch && m_others.frames >= kFewestOfStretch;
}

PairFrame PairSums::difference() const {
  return {.faults = m_delayed.mean.faults - m_others.mean.faults,
          .added = m_delayed.mean.added - m_others.mean.added,
          .lasted = m_delayed.mean.lasted - m_others.mean.lasted};
}

double PairSums::weight() const {
  return m_delayed.frames * m_others.frames / (m_delayed.frames + m_others.frames);
}

std::optional<PairSlope> slopeOf(std::span<const PairSums> pairs) {
  std::vector<FramePair> single = singleSlopes(pairs);
  if (single.size() < kFewestPairs) return std::nullopt;
  std::ranges::sort(single, {}, &FramePair::slope);
  double all = 0;
  double squares = 0;
  for (const FramePair& pair : single) {
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
  for (const FramePair& pair : single) {
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
  for (const FramePair& pair : single) {
    const double away = pair.weight * (std::clamp(pair.slope, lowest, highest) - slope);
    spread += away * away;
  }
  const double error = std::sqrt(spread * equal / (equal - 1)) / kept;
  const double reach = studentsT((1 - 2 * kTrimmed) * equal - 1) * error;
  return PairSlope{.slope = slope, .low = slope - reach, .high = slope + reach, .pairs = single.size()};
}

}  // namespace faultline
