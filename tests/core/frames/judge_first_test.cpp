// The first frames of a game, which are judged by what is known after them.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "tests/core/frames/judged_frames.h"

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("The first frames are judged when the usual ones are known") {
  std::vector<JudgedFrame> judged;
  const auto sink = [&](const JudgedFrame& frame) { judged.push_back(frame); };
  const auto numbered = [start = 0ns, number = std::uint64_t{0}](Nanoseconds lasted) mutable {
    GameFrame next = frame(lasted, 16);
    next.number = ++number;
    next.start = {start};
    start += lasted;
    return next;
  };
  SECTION("a game that is slower than the default budget") {
    auto slow = numbered;
    FrameJudge judge({});
    for (int i = 0; i < 12; ++i) judge.take(slow(40ms), sink);
    CHECK(judged.empty());
    for (int i = 0; i < 30; ++i) judge.take(slow(40ms), sink);
    REQUIRE(judged.size() == 42);
    CHECK(std::ranges::none_of(judged, [](const JudgedFrame& one) { return one.verdict.late; }));
    CHECK(std::ranges::is_sorted(judged, {}, [](const JudgedFrame& one) { return one.frame.number; }));
  }
  SECTION("a game whose first frame loads") {
    auto loading = numbered;
    FrameJudge judge({});
    judge.take(loading(300ms), sink);
    for (int i = 0; i < 10; ++i) judge.take(loading(10ms), sink);
    CHECK(judged.empty());
    judge.finish(sink);
    REQUIRE(judged.size() == 11);
    CHECK((judged[0].verdict.late && !judged[1].verdict.late));
  }
  SECTION("a game that keeps a cadence is judged by it from its first frame on, as soon as that shows") {
    auto fast = numbered;
    FrameJudge judge({});
    judge.take(fast(13'888us), sink);  // within the default budget, and two slots of 144 Hz
    for (int i = 0; i < 14; ++i) judge.take(fast(6'944us), sink);
    CHECK(judged.empty());
    judge.take(fast(6'944us), sink);
    REQUIRE(judged.size() == 16);
    CHECK(std::ranges::all_of(judged, [](const JudgedFrame& one) {
      return one.verdict.deadline == FrameDeadline{6'944us, DeadlineBy::Cadence};
    }));
    CHECK((judged[0].verdict.late && !judged[1].verdict.late));
    judge.take(fast(6'944us), sink);
    CHECK(judged.size() == 17);
  }
  SECTION("a game without a cadence, or a slow one") {
    auto fast = numbered;
    FrameJudge judge({});
    for (int i = 0; i < 63; ++i) judge.take(fast(i % 2 == 0 ? 4ms : 5700us), sink);
    CHECK(judged.empty());
    judge.take(fast(4ms), sink);
    CHECK(judged.size() == 64);
    judged.clear();
    FrameJudge patient({});
    for (int i = 0; i < 7; ++i) patient.take(fast(i % 2 == 0 ? 300ms : 370ms), sink);
    CHECK(judged.empty());
    patient.take(fast(300ms), sink);
    CHECK(judged.size() == 8);
  }
  SECTION("a game that may keep a cadence by chance is judged when its sleep is known, or would have been") {
    auto free = numbered;
    FrameJudge judge({.sleepIsMeasured = true});
    for (int i = 0; i < 100; ++i) judge.take(free(8'210us), sink);
    CHECK(judge.paced());
    FrameJudge never = judge;
    CHECK(judged.empty());
    for (int i = 0; i < 60; ++i) {
      GameFrame next = free(8'210us);
      next.values.setThreadTime(ThreadTime{.inFaults = {}, .waiting = 4ms, .sleeping = 0ns});
      judge.take(next, sink);
    }
    REQUIRE(judged.size() == 160);
    CHECK(std::ranges::all_of(judged, [](const JudgedFrame& one) {
      return one.verdict.deadline == FrameDeadline{16'700us, DeadlineBy::Default};
    }));
    judged.clear();
    for (int i = 0; i < 250; ++i) never.take(free(8'210us), sink);
    CHECK(judged.size() == 350);
  }
  SECTION("frames of five seconds are judged at once") {
    auto still = numbered;
    FrameJudge judge({});
    judge.take(still(5s), sink);
    CHECK(judged.size() == 1);
    judge.take(still(4ms), sink);
    CHECK(judged.size() == 1);
    judged.clear();
    FrameJudge few({});
    for (int i = 0; i < 7; ++i) few.take(still(700ms), sink);
    CHECK(judged.empty());
  }
}

// A display's game that works for 6 ms. Every tenth frame works for 12 ms more, and touches memory for 8 ms, of which
// its thread misses the slot: without the memory, too.
TEST_CASE("Frames whose sleep was not measured yet do not tell how long the thread is usually busy in later ones") {
  const auto played = [](int unmeasured) {
    std::vector<FrameVerdict> planted;
    FrameJudge judge({.sleepIsMeasured = true});
    Nanoseconds start{0};
    for (int i = 1; i <= 400; ++i) {
      const bool is = i % 10 == 0;
      GameFrame next = frame(is ? 33'333us : 16'667us, is ? 3000 : 0);
      next.number = static_cast<std::uint64_t>(i);
      next.start = {start};
      start += next.duration;
      if (i > unmeasured) {
        next.values.set(FrameMetric::FaultTime, is ? 8'000'000 : 0);
        next.values.set(FrameMetric::TimedFaults, is ? 3000 : 0);
        next.values.setThreadTime(ThreadTime{.inFaults = {.onProcessor = is ? 8ms : 0ms},
                                             .waiting = 0ms,
                                             .sleeping = next.duration - (is ? 26ms : 6ms)});
        next.values.set(FrameMetric::ThreadAwaiting, 0);
      }
      judge.take(next, [&](const JudgedFrame& one) {
        if (one.frame.number % 10 == 0 && one.frame.number > 50) planted.push_back(one.verdict);
      });
    }
    REQUIRE(planted.size() == 35);
    return planted;
  };
  const std::vector<FrameVerdict> always = played(0);
  CHECK(std::ranges::none_of(always, [](const FrameVerdict& one) { return one.lateByFaults || one.perhapsByFaults; }));
  for (const FrameVerdict& one : played(50)) {
    CHECK(one.late);
    CHECK_FALSE(one.lateByFaults);
    CHECK(one.explained == always.back().explained);
  }
}

}  // namespace faultline::test
