// The words of a verdict about its deadline, and where it is not certain.
#include <catch2/catch_test_macros.hpp>

#include "core/frames/tally.h"
#include "tests/core/frames/judged_frames.h"

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("Without times of faults, they cost at most what the thread ran, and waiting is a part of its own") {
  const auto polled = [](Nanoseconds lasted, std::uint64_t faults, Nanoseconds waiting) {
    GameFrame busy = frame(lasted, faults);
    busy.values.set(FrameMetric::ThreadMinorFaults, faults);
    busy.values.set(FrameMetric::ThreadMajorFaults, 0);
    busy.values.setThreadTime(ThreadTime{.inFaults = {}, .waiting = waiting, .sleeping = 0ms});
    return busy;
  };
  FrameJudge judge({.nsPerFault = 1000});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(polled(4ms, 16, 0ms)));
  const FrameVerdict hog = judge.judge(polled(40ms, 100'000, 35ms));
  CHECK(hog.faultTime == 5ms);  // not 40 ms
  CHECK((hog.estimated && hog.late));
  const FrameVerdict other = judge.judge(polled(40ms, 500, 30ms));  // 0.5 of 10 ms on a processor
  CHECK((other.late && !other.lateByFaults));
  const FrameVerdict faults = judge.judge(polled(40ms, 28'000, 6ms));
  CHECK((faults.lateByFaults && faults.likely && !faults.perhapsByFaults));
  CHECK(frameText({polled(40ms, 500, 30ms), other})
            .find("its thread: about 30.0 ms waiting for a processor, 10.0 ms other and in faults") !=
        std::string::npos);
}

TEST_CASE(
    "Faults without a measured time that took far more than assumed leave the verdict open, and the open is told") {
  // Seen: 256 pages populated in advance took 7 ms of a frame of 12 ms of work, seven times their assumed cost.
  const auto populated = [](Nanoseconds lasted, std::uint64_t untimed) {
    GameFrame busy = frame(lasted, 16 + untimed);
    busy.values.set(FrameMetric::ThreadMinorFaults, 16 + untimed);
    busy.values.set(FrameMetric::ThreadMajorFaults, 0);
    busy.values.set(FrameMetric::FaultTime, 32us);
    busy.values.set(FrameMetric::ThreadFaultTime, 32us);
    busy.values.set(FrameMetric::TimedFaults, 16);
    busy.values.set(FrameMetric::ThreadTeardownTime, 0ms);
    busy.values.setThreadTime(ThreadTime{.inFaults = {32us, 0ms, 0ms}, .waiting = 0ms, .sleeping = 0ms});
    return busy;
  };
  FrameJudge judge({.nsPerFault = 4000});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(populated(12ms, 0)));
  FrameTally tally;
  const GameFrame dear = populated(19ms, 256);
  const FrameVerdict open = judge.judge(dear);
  CHECK((open.late && !open.lateByMemory() && open.perhapsByFaults));
  tally.add(dear, open);
  CHECK(summaryText(tally).find(
            "1 late for other reasons (perhaps because of page faults, whose part in it is unknown)") !=
        std::string::npos);
  CHECK(frameText({dear, open}).ends_with(", perhaps because of page faults, whose part in it is unknown"));
  CHECK_FALSE(judge.judge(populated(19ms, 8)).perhapsByFaults);  // too few to matter
  CHECK_FALSE(judge.judge(populated(19ms, 0)).perhapsByFaults);
}

TEST_CASE("Faults in a missed slot leave the verdict open where nothing tells how long the thread waited for its end") {
  FrameJudge judge({.nsPerFault = 1000});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(frame(16'667us, 16)));
  const auto isOpen = [&judge](std::uint64_t faults, std::uint64_t own) {
    GameFrame missed = frame(33'333us, faults);
    missed.values.set(FrameMetric::ThreadMinorFaults, own);
    const FrameVerdict verdict = judge.judge(missed);
    CHECK((verdict.late && !verdict.lateByMemory()));
    if (verdict.perhapsByFaults) CHECK(verdict.explained.has_value() == (own == faults));
    return verdict.perhapsByFaults;
  };
  CHECK(isOpen(3000, 3000));
  CHECK(isOpen(3000, 2));         // the thread may have waited for these
  CHECK_FALSE(isOpen(300, 300));  // too few to matter
  CHECK_FALSE(isOpen(16, 16));
  const auto isOpenAwake = [&judge](std::uint64_t faults) {
    GameFrame awake = frame(33'333us, faults);
    awake.values.setThreadTime(ThreadTime{.inFaults = {}, .waiting = 0ms, .sleeping = 1ms});
    return judge.judge(awake).perhapsByFaults;
  };
  CHECK(isOpenAwake(3000));  // at four times their assumed cost
  CHECK_FALSE(isOpenAwake(1000));
}

TEST_CASE("Faults that read from a disk leave the verdict open where nothing measures their time") {
  FrameJudge judge({.nsPerFault = 1000});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(frame(4ms, 16)));
  GameFrame late = frame(40ms, 16);
  const auto isOpen = [&](std::uint64_t majors) {
    late.values.set(FrameMetric::MajorFaults, majors);
    const FrameVerdict verdict = judge.judge(late);
    return verdict.late && !verdict.lateByMemory() && verdict.perhapsByFaults;
  };
  CHECK(isOpen(2));  // at 10 ms each most of the 23.3 ms
  CHECK_FALSE(isOpen(1));
  late.values.set(FrameMetric::MajorFaults, 400);
  CHECK(frameText({late, judge.judge(late)})
            .starts_with("frame 300: 40.0 ms, 416 faults, 400 of them major (16 in the "
                         "presenting thread), about 16.0 µs in 16 minor of them, "));
  late.values.set(FrameMetric::FaultTime, 1ms);
  CHECK_FALSE(isOpen(2));
}

TEST_CASE("The deadline and its origin are told: a game without a cadence is due after its usual length, if longer") {
  FrameJudge judge({});
  FrameTally tally;
  const auto deadlineAfter = [&](Nanoseconds lasted) {
    tally.add(frame(lasted, 16), judge.judge(frame(lasted, 16)));
    return deadlineText(tally.deadline.value());
  };
  CHECK(deadlineAfter(37ms) == "16.7 ms, the default, as the frames show no cadence");
  for (int i = 0; i < 100; ++i) static_cast<void>(deadlineAfter(37ms + 131us * (i * i % 97)));
  CHECK(tally.deadline->by == DeadlineBy::Usual);
  CHECK(tally.deadline->after > 37ms);
  judge.change({.timesAreMeasured = false});
  CHECK_FALSE(judge.judge(frame(37ms, 16)).deadline);
}

}  // namespace faultline::test
