#include "core/base/ranked.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("A percentile is a duration that some frame has, by nearest rank") {
  std::vector<double> durations;
  for (int i = 1; i <= 100; ++i) durations.push_back(i);
  CHECK(percentile(durations, 0.5) == 50);
  CHECK(percentile(durations, 0.07) == 7);  // 0.07 * 100 exceeds 7 by a rounding error
  CHECK(percentile(durations, 0.29) == 29);
  CHECK(percentile(durations, 0.999) == 100);
  CHECK(percentile(durations, 0) == 1);
  CHECK(percentile(durations, 1) == 100);
  CHECK_FALSE(percentile({}, 0.5));
}

TEST_CASE("A low is the rate over the slowest frames, at least one") {
  std::vector<double> durations(99, 0.01);
  durations.push_back(0.03);
  CHECK(low(durations, 0.01) == Catch::Approx(1 / 0.03));
  CHECK(low(durations, 0.001) == Catch::Approx(1 / 0.03));
  CHECK(low(durations, 0.29) == Catch::Approx(29 / 0.31));  // 0.29 * 100 falls short of 29 by a rounding error
  CHECK_FALSE(low({}, 0.01));
  CHECK_FALSE(low({0, 0}, 0.5));
}
