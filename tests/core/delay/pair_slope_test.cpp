#include "core/delay/pair_slope.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <random>
#include <vector>

namespace faultline::test {
namespace {

constexpr int kStretch = 16;
constexpr double kDelay = 2'000;  // ns of each fault
constexpr double kFault = 700;    // ns that a fault takes anyhow

struct Series {
  double slope = 1;
  int pairs = 20;
  int faults = 100;  // of each frame
  int burst = 0;     // of every `every`-th frame besides
  int every = 50;
  double noise = 20'000;  // ns, standard deviation
  double disturbed = 0;   // share of frames that something else makes longer by `by`
  double by = 10e6;
};

// Frames of 4 ms, in pairs of stretches in random order.
std::vector<PairSums> play(const Series& series, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> noise(0, series.noise);
  std::uniform_real_distribution<double> share(0, 1);
  std::uniform_int_distribution<int> more(0, series.faults / 4);
  std::vector<PairSums> pairs(static_cast<std::size_t>(series.pairs));
  int number = 0;
  for (PairSums& pair : pairs) {
    const bool first = share(random) < 0.5;
    for (int i = 0; i < 2 * kStretch; ++i) {
      const bool delayed = (i < kStretch) == first;
      const double faults = series.faults + more(random) + (++number % series.every == 0 ? series.burst : 0);
      const double added = delayed ? kDelay * faults : 0;
      const double others = share(random) < series.disturbed ? series.by : 0;
      pair.add({faults, added, 4e6 + kFault * faults + series.slope * added + noise(random) + others, delayed});
    }
  }
  return pairs;
}

PairSlope found(const Series& series, unsigned seed = 1) {
  const auto slope = slopeOf(play(series, seed));
  REQUIRE(slope);
  return *slope;
}

}  // namespace

TEST_CASE(
    "The slope is one where frames pay for their faults, zero where they do not, and between where they partly do") {
  for (const double truth : {0.0, 0.25, 1.0}) {
    const PairSlope slope = found({.slope = truth});
    CAPTURE(truth, slope.slope, slope.low, slope.high);
    CHECK(slope.slope == Catch::Approx(truth).margin(0.02));
    CHECK(slope.low <= slope.slope);
    CHECK(slope.slope <= slope.high);
    CHECK(slope.high - slope.low < 0.1);
    CHECK(slope.pairs == 20);
  }
}

TEST_CASE("Frames with bursts of faults, with a period of their own, do not mislead the slope") {
  for (const int every : {10, 16, 32, 50})
    for (const double truth : {0.0, 1.0}) {
      const PairSlope slope = found({.slope = truth, .pairs = 40, .faults = 20, .burst = 8192, .every = every});
      CAPTURE(every, truth, slope.slope, slope.low, slope.high);
      CHECK(slope.slope == Catch::Approx(truth).margin(0.02));
    }
}

TEST_CASE("A longer frame has more delays of other threads, which do not make it longer") {
  std::mt19937 random(5);
  std::normal_distribution<double> noise(0, 1e6);
  std::vector<PairSums> pairs(200);
  for (PairSums& pair : pairs)
    for (int i = 0; i < 2 * kStretch; ++i) {
      const double lasted = 8e6 + noise(random);
      pair.add({0, i < kStretch ? lasted / 10 : 0, lasted, i < kStretch});
    }
  const auto slope = slopeOf(pairs);
  REQUIRE(slope);
  CAPTURE(slope->slope, slope->low, slope->high);
  CHECK(slope->slope == Catch::Approx(0).margin(0.1));
  CHECK(slope->low <= 0);
  CHECK(slope->high >= 0);
}

TEST_CASE("Frames that something else makes longer hardly move the slope") {
  for (const double truth : {0.0, 1.0}) {
    const PairSlope slope = found({.slope = truth, .pairs = 60, .faults = 200, .disturbed = 0.003});
    CAPTURE(truth, slope.slope, slope.low, slope.high);
    CHECK(slope.slope == Catch::Approx(truth).margin(0.1));
    CHECK(slope.low <= truth);
    CHECK(slope.high >= truth);
  }
}

TEST_CASE("The interval holds the true slope in about 95 of 100 cases") {
  for (const int pairs : {8, 30}) {
    int held = 0;
    for (unsigned seed = 1; seed <= 400; ++seed) {
      const PairSlope slope = found({.slope = 0.5, .pairs = pairs, .noise = 200'000}, seed);
      held += slope.low <= 0.5 && 0.5 <= slope.high ? 1 : 0;
    }
    CAPTURE(pairs, held);
    CHECK(held >= 360);  // fixed seeds
    CHECK(held <= 396);
  }
}

TEST_CASE("There is no slope without delays, nor from few pairs, nor from a single pair with most of the delays") {
  CHECK_FALSE(slopeOf({}));
  CHECK_FALSE(slopeOf(play({.pairs = static_cast<int>(kFewestPairs) - 1}, 1)));
  CHECK(slopeOf(play({.pairs = static_cast<int>(kFewestPairs)}, 1)));
  CHECK_FALSE(slopeOf(play({.faults = 0}, 1)));
  std::vector<PairSums> one = play({.faults = 1}, 1);
  one.push_back(play({.pairs = 1, .faults = 10'000}, 2).front());
  CHECK_FALSE(slopeOf(one));
}

TEST_CASE("A pair of which one stretch has hardly begun is left out") {
  std::vector<PairSums> pairs = play({}, 1);
  const auto whole = slopeOf(pairs);
  PairSums begun;
  for (int i = 0; i < kStretch; ++i) begun.add({100, 100 * kDelay, 90e6, true});
  for (int i = 0; i < 3; ++i) begun.add({100, 0, 4e6, false});
  CHECK_FALSE(begun.complete());
  pairs.push_back(begun);
  CHECK(slopeOf(pairs) == whole);
}

}  // namespace faultline::test
