#include "core/spikes/baseline.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr Nanoseconds kMemory = 64s;  // one value per half second
constexpr Nanoseconds kPace = kMemory / Baseline::kValues;

}  // namespace

TEST_CASE("the quantiles are the median and the 90th percentile") {
  Baseline baseline;
  for (int value = 101; value >= 1; --value) baseline.add(value, {value * -kPace}, kMemory);
  CHECK(baseline.count() == 101);
  CHECK(baseline.median() == 51);
  CHECK(baseline.high() == 91);
}

TEST_CASE("values are limited to the rate that the memory allows; the first one is always taken") {
  Baseline baseline;
  for (Nanoseconds time = 0s; time < 10s; time += kPace / 10) baseline.add(1, {time}, kMemory);
  CHECK(baseline.count() == 20);
  Baseline full(1000);
  CHECK(full.count() == Baseline::kValues);
  full.add(1, {kPace}, kMemory);
  CHECK(full.count() == Baseline::kValues);
}

TEST_CASE("the median follows within sixteen values") {
  Baseline baseline(Baseline::kValues);
  for (std::uint32_t i = 1; i < Baseline::kValues / 2 + 16; ++i) {
    if (i <= Baseline::kValues / 2) CHECK(baseline.median() == 0);
    baseline.add(7, {i * kPace}, kMemory);
  }
  CHECK(baseline.median() == 7);
}
