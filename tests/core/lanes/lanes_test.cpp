#include "core/lanes/lanes.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

LaneFault fault(std::uint32_t thread, Nanoseconds end, Nanoseconds took) {
  return {.end = {end}, .took = took, .thread = thread};
}

}  // namespace

TEST_CASE("Threads resume together if they waited in faults at the same time, and left them at nearly the same time") {
  const auto joint = [](std::vector<LaneFault> faults) { return jointResumes(std::move(faults), 100us, 20us); };
  CHECK(joint({fault(1, 1000us, 500us), fault(2, 1010us, 200us), fault(3, 1015us, 150us)}) ==
        std::vector<JointResume>{{{1015us}, 3}});
  CHECK(joint({fault(2, 1010us, 200us), fault(1, 1000us, 500us)}) == std::vector<JointResume>{{{1010us}, 2}});
  CHECK(joint({fault(1, 1000us, 500us), fault(2, 1030us, 200us)}).empty());  // not near
  CHECK(joint({fault(1, 1000us, 500us), fault(2, 1010us, 50us)}).empty());   // did not wait
  CHECK(joint({fault(1, 1000us, 500us), fault(1, 1010us, 500us)}).empty());  // one thread
  CHECK(joint({fault(1, 1000us, 500us), fault(2, 1000us, 500us), fault(1, 2000us, 200us), fault(2, 2001us, 300us)}) ==
        std::vector<JointResume>{{{1000us}, 2}, {{2001us}, 2}});
}

TEST_CASE("The faults of a run are summed up by what they took") {
  std::vector<LaneFault> faults;
  for (int i = 1; i <= 1000; ++i) faults.push_back(fault(1, i * 10us, i * 1ns));
  faults.push_back(fault(1, 20ms, 5ms));
  faults.push_back(fault(2, 20ms + 1us, 6ms));
  const LaneRun run{.name = "all", .from = {0us}, .to = {1s}};
  const auto summary = summarizeLanes(faults, run);
  REQUIRE(summary);
  CHECK(summary->faults == 1002);
  CHECK(summary->median == 501ns);
  CHECK(summary->slow == 991ns);
  CHECK(summary->longest == 6ms);
  CHECK(summary->joint == std::vector<JointResume>{{{20ms + 1us}, 2}});
  CHECK(laneText(*summary) ==
        "1\u202f002 faults, the median 501 ns, one of 100 longer than 991 ns, the longest 6.00 ms; threads resumed "
        "together once");
  CHECK_FALSE(summarizeLanes(faults, {.name = "later", .from = {2s}, .to = {3s}}));
  CHECK(summarizeLanes(faults, {.name = "a part", .from = {0us}, .to = {100us}})->faults == 10);
}

}  // namespace faultline::test
