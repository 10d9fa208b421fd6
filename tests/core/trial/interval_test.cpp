#include "core/trial/interval.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>

using namespace faultline;

namespace {

std::vector<double> upTo(int count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 1.0);
  std::ranges::reverse(values);
  return values;
}

}  // namespace

// The ranks of the sign test's tables: the probability outside is at most 5 %, or 1 %.
TEST_CASE("The interval of a median is that of the sign test") {
  CHECK(medianInterval(upTo(6), 0.95) == MedianInterval{.median = 3.5, .low = 1, .high = 6});
  CHECK(medianInterval(upTo(9), 0.95) == MedianInterval{.median = 5, .low = 2, .high = 8});
  CHECK(medianInterval(upTo(12), 0.95) == MedianInterval{.median = 6.5, .low = 3, .high = 10});
  CHECK(medianInterval(upTo(25), 0.95) == MedianInterval{.median = 13, .low = 8, .high = 18});
  CHECK(medianInterval(upTo(12), 0.99) == MedianInterval{.median = 6.5, .low = 2, .high = 11});
}

TEST_CASE("Too few values have no interval") {
  CHECK(fewestForInterval(0.95) == 6);
  CHECK(fewestForInterval(0.99) == 8);
  CHECK(fewestForInterval(0.5) == 2);
  CHECK(fewestForInterval(0.95, 1) == 9);
  CHECK(fewestForInterval(0.99, 1) == 12);
  CHECK_FALSE(medianInterval(upTo(5), 0.95));
  CHECK_FALSE(medianInterval({}, 0.5));
}

TEST_CASE("The interval holds the true median as often as it says, whatever the distribution") {
  std::mt19937_64 random(7);
  int held = 0;
  constexpr int kTrials = 4000;
  for (int trial = 0; trial < kTrials; ++trial) {
    std::vector<double> values;
    for (int i = 0; i < 12; ++i) {
      const double uniform = static_cast<double>(random() >> 11U) / 9007199254740992.0;
      values.push_back(1 / (1 - uniform));  // no mean; the median is 2
    }
    const auto interval = medianInterval(values, 0.95);
    held += interval->low <= 2 && 2 <= interval->high ? 1 : 0;
  }
  CHECK(held >= kTrials * 95 / 100);
}

TEST_CASE("An order of runs holds each once, follows its seed, and differs between seeds") {
  auto order = shuffledOrder(9, 1);
  CHECK(order == shuffledOrder(9, 1));
  CHECK(order != shuffledOrder(9, 2));
  std::ranges::sort(order);
  for (std::size_t i = 0; i < order.size(); ++i) CHECK(order[i] == i);
  CHECK(shuffledOrder(0, 1).empty());
}
