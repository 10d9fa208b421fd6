#include "core/lanes/picture.h"

#include <catch2/catch_test_macros.hpp>
#include <numeric>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kColumn = 1ms;
const LaneRun kRun{.name = "pool, 2 workers", .from = {1s}, .to = {1s + kLaneColumns * kColumn}};

// Ends after `end` of the run.
LaneFault faultInRun(std::uint32_t thread, Nanoseconds end, Nanoseconds took) {
  return {.end = kRun.from + end, .took = took, .thread = thread};
}

LanePicture drawn(const std::vector<LaneFault>& faults) {
  const auto summary = summarizeLanes(faults, kRun);
  REQUIRE(summary);
  const auto picture = drawLanes(faults, {{7, "worker"}}, kRun, *summary);
  REQUIRE(picture);
  return *picture;
}

}  // namespace

TEST_CASE("A picture of lanes has for each thread what part of each column lies inside faults") {
  const LanePicture picture = drawn({faultInRun(7, 10500us, 2ms), faultInRun(7, 20250us, 250us),
                                     faultInRun(7, 20500us, 250us), faultInRun(3, 799999us, 1us)});
  CHECK(picture.run == "pool, 2 workers");
  CHECK(picture.took == 800ms);
  REQUIRE(picture.lanes.size() == 2);
  CHECK(picture.lanes[0].thread == "thread 3");
  CHECK(picture.lanes[0].inside.back() == 1);  // rounded up, so that no faultInRun is hidden
  const LanePicture::Lane& worker = picture.lanes[1];
  CHECK(worker.thread == "worker (7)");
  CHECK(worker.faults == 3);
  CHECK(worker.longest == 2ms);
  REQUIRE(worker.inside.size() == kLaneColumns);
  CHECK(std::vector(worker.inside.begin() + 7, worker.inside.begin() + 12) ==
        std::vector<std::uint8_t>{0, 50, 100, 50, 0});
  CHECK(worker.inside[20] == 50);
  CHECK(std::accumulate(worker.inside.begin(), worker.inside.end(), 0) == 250);
}

TEST_CASE("A faultInRun that began before the run counts from its begin, and one that ends after it does not") {
  const LanePicture picture = drawn({faultInRun(7, 1ms, 5ms), faultInRun(7, 801ms, 1ms)});
  CHECK(picture.lanes[0].faults == 1);
  CHECK(picture.lanes[0].inside[0] == 100);
  CHECK(std::accumulate(picture.lanes[0].inside.begin(), picture.lanes[0].inside.end(), 0) == 100);
}

TEST_CASE("Threads that resume together are a mark in their column") {
  std::vector<LaneFault> faults{faultInRun(7, 10ms, 2ms),      faultInRun(8, 10ms + 5us, 2ms),
                                faultInRun(7, 10300us, 100us), faultInRun(8, 10300us, 100us),
                                faultInRun(9, 10300us, 100us), faultInRun(7, 90ms, 2ms)};
  for (int i = 0; i < 20; ++i) faults.push_back(faultInRun(9, 100ms + i * 1ms, 1us));  // most are short
  CHECK(drawn(faults).resumed == std::vector<LanePicture::Resume>{{10, 3}});
}

TEST_CASE("A million faults of eight threads are a picture of eight lanes") {
  std::vector<LaneFault> faults;
  for (std::uint32_t i = 0; i < 1'000'000; ++i) faults.push_back(faultInRun(1 + i % 8, (1 + i) * 800ns, 400ns));
  const LanePicture picture = drawn(faults);
  CHECK(picture.faults == 1'000'000);
  REQUIRE(picture.lanes.size() == 8);
  for (const LanePicture::Lane& lane : picture.lanes) {
    CHECK(lane.faults == 125'000);
    for (const int share : lane.inside) REQUIRE((share >= 6 && share <= 7));  // 6.25 % of each column
  }
}

TEST_CASE("A run without faults or without a length has no picture") {
  const std::vector<LaneFault> faults{faultInRun(7, 1ms, 1ms)};
  CHECK_FALSE(drawLanes({}, {}, kRun, {}));
  CHECK_FALSE(drawLanes(faults, {}, {.name = "empty", .from = kRun.from, .to = kRun.from}, {}));
}

}  // namespace faultline::test
