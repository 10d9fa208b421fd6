#include "core/lab/summary.h"

#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/lab/published.h"

using namespace faultline;
using Catch::Approx;
using namespace std::chrono_literals;

TEST_CASE("A spread has the median and the quartiles, and none exists without values") {
  CHECK_FALSE(spreadOf({}));
  CHECK(spreadOf({7}) == LabSpread{.median = 7, .low = 7, .high = 7});
  CHECK(spreadOf({5, 1, 3, 2, 4}) == LabSpread{.median = 3, .low = 2, .high = 4});
  CHECK(spreadOf({1, 2})->median == 1.5);
}

TEST_CASE("Repetitions with an involuntary switch are counted, and left out beside the rest") {
  LabRow row;
  row.samples = {{.wall = 10ns, .processor = 9ns, .faults = 4, .switches = 0},
                 {.wall = 90ns, .processor = 11ns, .faults = 4, .switches = 2},
                 {.wall = 12ns, .processor = 10ns, .faults = 5, .switches = 0}};
  const auto alone = summarize(row);
  REQUIRE(alone);
  CHECK(alone->repetitions == 3);
  CHECK(alone->switched == 1);
  CHECK(alone->disturbed() == 1);
  CHECK(alone->wall.median == 12);
  CHECK(alone->quietWall->median == 11);
  CHECK(alone->quietProcessor->median == 9.5);
  CHECK((alone->faults == 4 && alone->leastFaults == 4 && alone->mostFaults == 5));

  row.alone = false;  // threads that wait for each other are switched by design
  CHECK(summarize(row)->disturbed() == 0);
  CHECK_FALSE(summarize(row)->quietWall);
  row.samples.clear();
  CHECK_FALSE(summarize(row));
}

TEST_CASE("A repetition during which the frequency changes is disturbed, too") {
  LabRow row;
  for (const double frequency : {1.0, 1.04, 1.5, 0.6, 0.5})
    row.samples.push_back({.wall = 10ns, .switches = frequency == 0.5 ? 1U : 0U, .frequency = frequency});
  const auto summary = summarize(row);
  CHECK(summary->switched == 1);
  CHECK(summary->otherFrequency == 2);
  CHECK(summary->disturbed() == 3);
  row.alone = false;
  CHECK(summarize(row)->disturbed() == 0);
}

TEST_CASE("The growth of published times of VirtualAlloc from the top is quadratic") {
  std::vector<GrowthPoint> points;
  for (std::size_t i = 0; i < kTopDownSeconds.size(); ++i)
    points.push_back({.count = 1000.0 * static_cast<double>(i + 1), .time = kTopDownSeconds[i]});
  CHECK(growthExponent(points) == Approx(2.14).margin(0.01));
  CHECK(growthExponent(std::span(points).subspan(4)) == Approx(2.03).margin(0.01));
  CHECK(growthExponent(std::span(points).subspan(7)) == Approx(1.96).margin(0.01));
}

TEST_CASE("There is no growth without two different counts") {
  CHECK_FALSE(growthExponent({}));
  CHECK_FALSE(growthExponent(std::array{GrowthPoint{1, 1}, GrowthPoint{1, 2}}));
  CHECK_FALSE(growthExponent(std::array{GrowthPoint{1, 1}, GrowthPoint{0, 2}, GrowthPoint{2, 0}}));
  CHECK(growthExponent(std::array{GrowthPoint{1, 3}, GrowthPoint{10, 30}}) == Approx(1));
}
