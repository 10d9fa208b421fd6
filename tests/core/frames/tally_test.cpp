#include "core/frames/tally.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "tests/core/frames/judged_frames.h"

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("The summary has the numbers for a bug report") {
  FrameTally tally;
  FrameJudge judge({.budget = 16ms, .nsPerFault = 1000});
  CHECK(summaryText(tally) == "No frames were seen.");
  for (int i = 0; i < 1000; ++i) {
    const GameFrame ordinary = frame(4ms, 16);
    tally.add(ordinary, judge.judge(ordinary));
  }
  CHECK(summaryText(tally) == "0 of 1 000 frames late because of page faults; the longest frame took 4.00 ms.");
  GameFrame late = frame(19ms, 8192);
  late.values.set(FrameMetric::ThreadMinorFaults, 4096);
  late.values.set(FrameMetric::ThreadMajorFaults, 0);
  tally.add(late, judge.judge(late));
  const GameFrame slow = frame(40ms, 0);
  tally.add(slow, judge.judge(slow));
  CHECK(summaryText(tally) ==
        "1 of 1 002 frames late because of page faults (probably); worst: frame 300, 19.0 ms, of which "
        "about 4.10 ms for memory on its path; 1 late for other reasons (perhaps because of giving memory back, "
        "whose time is unavailable); the "
        "longest frame took 40.0 ms.");
  CHECK(summaryText(tally, "97.0 % in Level::load (level.cpp:212)")
            .find("4.10 ms for memory on its path, 97.0 % in Level::load (level.cpp:212); 1 late") !=
        std::string::npos);
  CHECK(frameText(tally.worst.front()) ==
        "frame 300: 19.0 ms, 8 192 faults (4 096 in the presenting thread), about 8.19 ms in them, late by 3.00 ms, "
        "100 % of it by faults, probably because of them");
  CHECK(tally.worst.size() == 1);

  GameFrame shared = late;
  shared.values.set(FrameMetric::FaultTime, 10ms);
  for (const auto& [own, words] : {std::pair(Nanoseconds(7ms), "19.0 ms, of which 7.00 ms for memory on its path; "),
                                   std::pair(Nanoseconds(9999us), "of which 10.0 ms in")}) {
    shared.values.set(FrameMetric::ThreadFaultTime, own);
    FrameTally one;
    one.add(shared, judge.judge(shared));
    CHECK_THAT(summaryText(one), Catch::Matchers::ContainsSubstring(words));
  }

  GameFrame loaded = late;
  loaded.duration = 50ms;
  loaded.values.set(FrameMetric::FaultTime, 80ms);  // of several threads at once
  loaded.values.set(FrameMetric::ThreadFaultTime, 40ms);
  tally.add(loaded, judge.judge(loaded));
  CHECK(summaryText(tally).find("worst: frame 300, 50.0 ms, of which 40.0 ms for memory on its path;") !=
        std::string::npos);
  CHECK(frameText(tally.worst.front())
            .ends_with(", 80.0 ms in them (40.0 ms in the presenting thread), late by 34.0 ms, 100 % of it by faults, "
                       "probably because of them"));

  loaded.values.set(FrameMetric::FaultTimeOnDisk, 3ms);
  loaded.values.set(FrameMetric::ZeroedLargeBytes, 2U << 20U);
  CHECK_THAT(frameText({loaded, judge.judge(loaded)}),
             Catch::Matchers::ContainsSubstring(", with 3.00 ms waiting for the disk, 2.00 MiB cleared in large pages, "
                                                "late by"));

  loaded.values.setWaitedBehind({.program = "cc1plus", .time = 8400us});
  CHECK_THAT(frameText({loaded, judge.judge(loaded)}),
             Catch::Matchers::ContainsSubstring(", 8.40 ms while cc1plus ran on its processor, late by"));

  FrameJudge costless({.budget = 16ms});
  GameFrame populated = loaded;  // mostly by MADV_POPULATE_WRITE
  populated.values.set(FrameMetric::MinorFaults, 20'066);
  populated.values.set(FrameMetric::FaultTime, 90ms);
  populated.values.set(FrameMetric::ThreadFaultTime, 45ms);
  populated.values.set(FrameMetric::TimedFaults, 65);
  tally.add(populated, costless.judge(populated));
  CHECK_THAT(summaryText(tally), Catch::Matchers::ContainsSubstring("of which 45.0 ms for memory on its path;"));
  CHECK(frameText(tally.worst.front()).find(", 90.0 ms in 65 timed of them (") != std::string::npos);

  populated.values.set(FrameMetric::FaultTime, 0ns);  // all of them in advance, which is not timed
  populated.values.set(FrameMetric::ThreadFaultTime, 0ns);
  populated.values.set(FrameMetric::TimedFaults, 0);
  CHECK_THAT(frameText({populated, judge.judge(populated)}),
             Catch::Matchers::ContainsSubstring(" in the presenting thread), about 20.1 ms in them, with 3.00 ms"));
}

TEST_CASE("The worst frames are those late because of faults, then those with the costliest faults") {
  FrameTally tally;
  FrameJudge judge({.budget = 16ms, .nsPerFault = 1000});
  for (std::uint64_t faults = 1000; faults <= 9000; faults += 500) {
    const GameFrame costly = frame(15ms, faults);
    tally.add(costly, judge.judge(costly));
  }
  CHECK(tally.worst.size() == kWorstFrames);
  CHECK(tally.worst.front().frame.values.minorFaults() == 9000);
  const GameFrame late = frame(18ms, 8000);
  tally.add(late, judge.judge(late));
  CHECK(tally.worst.front().frame == late);
  CHECK(tally.worst.size() == kWorstFrames);
  CHECK(tally.costly == 16);
  const GameFrame teardown = frame(40ms, 0);
  FrameVerdict because;
  because.late = because.lateByTeardown = true;
  tally.add(teardown, because);
  CHECK(tally.worst.at(1).frame == teardown);
}

TEST_CASE("The summary names the program that ran while late frames waited for their processor") {
  FrameTally tally;
  const auto late = [&](const char* program, Nanoseconds time, bool byFaults = false) {
    GameFrame slow = frame(40ms, byFaults ? 8192 : 0);
    slow.values.setWaitedBehind({.program = program, .time = time});
    FrameVerdict verdict;
    verdict.late = true;
    verdict.excess = 20ms;
    verdict.lateByFaults = byFaults;
    tally.add(slow, verdict);
  };
  late("cc1plus", 20ms);
  CHECK_THAT(summaryText(tally), Catch::Matchers::ContainsSubstring(
                                     "; 1 late for other reasons (while cc1plus ran on their processor); the longest"));
  late("cc1plus", 10ms);
  late("cc1plus", 9ms);  // less than half of its lateness
  late("cc1\x1b[31m", 15ms);
  late("cc1plus", 20ms, true);
  CHECK_THAT(summaryText(tally),
             Catch::Matchers::ContainsSubstring("; 4 late for other reasons (2 while cc1plus ran on their processor)"));
  for (int i = 0; i < 1000; ++i) late(std::to_string(i).c_str(), 20ms);
  CHECK(tally.lateBehind.size() == 64);
  for (int i = 0; i < 3; ++i) late("cc1\x1b[31m", 15ms);
  CHECK(summaryText(tally).find('\x1b') == std::string::npos);
}

}  // namespace faultline::test
