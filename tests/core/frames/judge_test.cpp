#include "core/frames/judge.h"

#include <algorithm>
#include <array>
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/frames/files/export.h"
#include "core/frames/tally.h"
#include "tests/core/frames/judged_frames.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// A judge that has seen frames of 4 ms with 16 faults each.
FrameJudge judgeOf(const FrameRules& rules) {
  FrameJudge judge(rules);
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(frame(4ms, 16)));
  return judge;
}

}  // namespace

TEST_CASE("An ordinary frame is neither late nor costly") {
  FrameVerdict ordinary;
  ordinary.deadline = {16'700us, DeadlineBy::Default};
  CHECK(judgeOf({}).judge(frame(4ms, 16)) == ordinary);
  const FrameVerdict withCost = judgeOf({.nsPerFault = 1000}).judge(frame(4ms, 16));
  CHECK(withCost.faultTime == 16us);
  CHECK(withCost.estimated);
  CHECK_FALSE((withCost.late || withCost.costly));
}

TEST_CASE("Faults that take a tenth of the budget make a frame costly, late or not") {
  FrameJudge judge({.nsPerFault = 1000});  // no usual value yet
  CHECK_FALSE(judge.judge(frame(6ms, 1670)).costly);
  const FrameVerdict verdict = judge.judge(frame(6ms, 1671));
  CHECK(verdict.costly);
  CHECK_FALSE(verdict.late);
}

TEST_CASE("Faults that take far longer than usual make a frame costly") {
  for (const auto scale : {1, 10}) {
    const auto faults = [&](std::uint64_t count) { return frame(4ms, count * static_cast<std::uint64_t>(scale)); };
    FrameJudge judge({.budget = 16'700us, .nsPerFault = 1000.0 / scale});
    for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(faults(50)));
    CHECK_FALSE(judge.judge(faults(384)).costly);  // 334 us, 2 % of the budget, beyond the usual
    CHECK(judge.judge(faults(385)).costly);
    for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(faults(200)));
    CHECK_FALSE(judge.judge(faults(800)).costly);  // four times the usual cost
    CHECK(judge.judge(faults(801)).costly);
  }
}

TEST_CASE("Nothing stands out before eight frames") {
  FrameJudge judge({});
  for (int i = 0; i < 7; ++i) static_cast<void>(judge.judge(frame(4ms, 16)));
  FrameJudge another = judge;
  CHECK_FALSE(judge.judge(frame(12ms, 8192)).late);
  static_cast<void>(another.judge(frame(4ms, 16)));
  const FrameVerdict verdict = another.judge(frame(12ms, 8192));
  CHECK((verdict.late && verdict.costly));
}

TEST_CASE("The estimated time in faults is at most the frame's duration") {
  CHECK(judgeOf({.nsPerFault = 1000}).judge(frame(4ms, 100'000)).faultTime == 4ms);
}

TEST_CASE("A frame is late because of faults if it had met its deadline without them") {
  FrameJudge judge = judgeOf({.budget = 16ms, .nsPerFault = 1000});
  const FrameVerdict saved = judge.judge(frame(26ms, 9700));
  CHECK(saved.late);
  CHECK(saved.excess == 10ms);
  CHECK(saved.explained.value() == Catch::Approx(0.9684));  // 16 faults are usual
  CHECK(saved.lateByFaults);                                // 16.3 ms without them, which is tolerated
  CHECK(saved.likely);                                      // by an assumed cost
  const FrameVerdict some = judge.judge(frame(26ms, 8016));
  CHECK(some.explained.value() == Catch::Approx(0.8));
  CHECK_FALSE(some.lateByFaults);  // 18 ms without them, where 4 ms are usual
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(frame(12ms, 16)));
  const FrameVerdict mostly = judge.judge(frame(26ms, 8016));
  CHECK((mostly.lateByFaults && mostly.likely));  // 18 ms without them, where 12 ms are usual: most of it was theirs
  CHECK_FALSE(judge.judge(frame(26ms, 4016)).lateByFaults);
  CHECK(judge.judge(frame(17ms, 9000)).explained == 1.0);
}

TEST_CASE("Faults that each frame has are not what made one of them late, unless each is late for them") {
  FrameJudge judge = judgeOf({.budget = 16ms, .nsPerFault = 1000});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(frame(15ms, 2000)));
  const FrameVerdict other = judge.judge(frame(17ms, 2000));  // 15 ms without them
  CHECK((other.late && !other.lateByMemory() && !other.perhapsByFaults));
  CHECK(other.explained == 0.0);
  CHECK(judge.judge(frame(17ms, 4000)).lateByFaults);
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(frame(20ms, 6000)));
  CHECK(judge.judge(frame(20ms, 6000)).lateByFaults);
}

TEST_CASE("Faults of unknown threads leave the verdict open") {
  FrameJudge judge = judgeOf({.budget = 16ms, .nsPerFault = 1000});
  GameFrame late = frame(26ms, 9700);
  late.values.clear(FrameMetric::ThreadMinorFaults);
  const FrameVerdict verdict = judge.judge(late);
  CHECK((verdict.late && !verdict.lateByMemory() && verdict.perhapsByFaults));
}

TEST_CASE("Faults of another thread than the presenting one are not what made its frame late") {
  FrameJudge judge = judgeOf({.budget = 16ms});
  GameFrame late = frame(26ms, 8000);
  late.values.set(FrameMetric::FaultTime, 24ms);
  late.values.set(FrameMetric::ThreadFaultTime, 1ms);
  CHECK_FALSE(judge.judge(late).lateByFaults);
  late.values.set(FrameMetric::ThreadFaultTime, 23ms);
  CHECK(judge.judge(late).lateByFaults);
}

TEST_CASE("Waiting for a processor, inside faults or outside, is probably theirs by their share of what ran") {
  const auto busyMachine = [](Nanoseconds inFaults, Nanoseconds preempted) {
    GameFrame slow = frame(40ms, 8192);
    slow.values.set(FrameMetric::FaultTime, inFaults + preempted);
    slow.values.set(FrameMetric::ThreadFaultTime, inFaults + preempted);
    slow.values.setThreadTime(
        ThreadTime{.inFaults = {inFaults, preempted, 0ms}, .waiting = 24ms - preempted, .sleeping = 0ms});
    return slow;
  };
  CHECK(judgeOf({}).judge(busyMachine(24ms, 0ms)).lateByFaults);
  const FrameVerdict most = judgeOf({}).judge(busyMachine(12ms, 0ms));  // 4 ms running: 18 of the 24 ms are theirs
  CHECK((most.lateByFaults && most.likely));
  const FrameVerdict other = judgeOf({}).judge(busyMachine(2ms, 22ms));
  CHECK((other.late && !other.lateByFaults));
}

TEST_CASE("A fault takes a little more than its measured time: entry, return and timing") {
  const auto ran = [](Nanoseconds lasted, Nanoseconds inFaults) {
    GameFrame busy = frame(lasted, static_cast<std::uint64_t>(inFaults / 3us));
    busy.values.set(FrameMetric::FaultTime, inFaults);
    busy.values.set(FrameMetric::ThreadFaultTime, inFaults);
    busy.values.setThreadTime(ThreadTime{.inFaults = {inFaults, 0ms, 0ms}, .waiting = 0ms, .sleeping = 0ms});
    return busy;
  };
  FrameJudge judge({});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(ran(12ms, 48us)));
  // Seen: 1728 faults took 7.1 of 23.1 ms by the game's own clock, and 5.35 ms by BPF; the host took 4 ms.
  const FrameVerdict probably = judge.judge(ran(23'098us, 5350us));
  CHECK((probably.lateByFaults && probably.likely));
  CHECK_FALSE(judge.judge(ran(23'098us, 4500us)).lateByFaults);
  const FrameVerdict surely = judge.judge(ran(23'098us, 6200us));
  CHECK((surely.lateByFaults && !surely.likely));
}

namespace {

// A game at `period` whose thread works for a quarter of it and then sleeps.
GameFrame pacedFrame(Nanoseconds period, Nanoseconds lasted, Nanoseconds inFaults, Nanoseconds running) {
  GameFrame paced = frame(lasted, 16);
  paced.values.set(FrameMetric::FaultTime, inFaults);
  paced.values.set(FrameMetric::ThreadFaultTime, inFaults);
  const Nanoseconds works = running.count() > 0 ? running : period / 4;
  paced.values.setThreadTime(
      ThreadTime{.inFaults = {inFaults, 0ms, 0ms}, .waiting = 0ms, .sleeping = lasted - inFaults - works});
  return paced;
}

FrameJudge pacedJudge(Nanoseconds period) {
  FrameJudge judge({});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(pacedFrame(period, period, 10us, 0ms)));
  return judge;
}

}  // namespace

TEST_CASE("A frame that is late because memory was given back is told apart from one late because of faults") {
  GameFrame late = frame(30ms, 16);
  late.values.set(FrameMetric::FaultTime, 70us);
  late.values.set(FrameMetric::ThreadFaultTime, 70us);
  late.values.set(FrameMetric::TeardownTime, 16ms);
  late.values.set(FrameMetric::ThreadTeardownTime, 16ms);
  late.values.setThreadTime(ThreadTime{.inFaults = {70us, 0ms, 0ms}, .waiting = 1'930us, .sleeping = 0ms});
  const FrameVerdict verdict = judgeOf({}).judge(late);
  CHECK((verdict.late && verdict.lateByTeardown && !verdict.lateByFaults && !verdict.likely));
  CHECK(frameText({late, verdict}) ==
        "frame 300: 30.0 ms, 16 faults (16 in the presenting thread), 70.0 µs in them (70.0 µs in the presenting "
        "thread); its thread: 70.0 µs in "
        "faults on a processor, 16.0 ms giving memory back, 1.93 ms waiting for a processor, 12.0 ms other, late by "
        "13.3 ms, 100 % of it by giving memory back");
  FrameTally tally;
  tally.add(late, verdict);
  CHECK_THAT(summaryText(tally),
             Catch::Matchers::StartsWith("0 of 1 frames late because of page faults; 1 late because "
                                         "of giving memory back; the longest"));
  late.values.set(FrameMetric::ThreadFaultTime, 17ms);
  late.values.set(FrameMetric::FaultTime, 17ms);
  late.values.set(FrameMetric::TeardownTime, 8ms);
  late.values.set(FrameMetric::ThreadTeardownTime, 8ms);
  late.values.setThreadTime(ThreadTime{.inFaults = {17ms, 0ms, 0ms}, .waiting = 3ms, .sleeping = 0ms});
  const FrameVerdict byFaults = judgeOf({}).judge(late);
  CHECK((byFaults.lateByFaults && !byFaults.lateByTeardown));
  late.values.set(FrameMetric::ThreadTeardownTime, 0ms);  // of another thread; this one ran
  late.values.set(FrameMetric::ThreadFaultTime, 70us);
  late.values.set(FrameMetric::ThreadFaultTimeOnProcessor, 70us);
  const FrameVerdict other = judgeOf({}).judge(late);
  CHECK((other.late && !other.lateByMemory()));
}

TEST_CASE("In a game with a cadence, too, waits for a processor are no part of the faults' share in a lateness") {
  FrameJudge judge = pacedJudge(16'700us);
  GameFrame late = pacedFrame(16'700us, 60'700us, 13ms, 1ms);
  late.values.setThreadTime(ThreadTime{.inFaults = {13ms, 0ms, 0ms}, .waiting = 46'700us, .sleeping = 0ms});
  const FrameVerdict verdict = judge.judge(late);
  REQUIRE((verdict.lateByFaults && verdict.likely));
  CHECK(verdict.explained.value() == Catch::Approx(13 / 44.0).margin(0.05));
}

TEST_CASE("A slot of the display that was missed by giving memory back is blamed on that") {
  GameFrame missed = pacedFrame(16'667us, 33'333us, 10us, 0ms);
  missed.values.set(FrameMetric::TeardownTime, 9ms);
  missed.values.set(FrameMetric::ThreadTeardownTime, 9ms);
  missed.values.set(FrameMetric::ThreadSleeping, *missed.time(FrameMetric::ThreadSleeping) - 9ms);
  const FrameVerdict verdict = pacedJudge(16'667us).judge(missed);
  CHECK((verdict.late && verdict.lateByTeardown && verdict.likely));
}

TEST_CASE("Faults that took hardly any time are not blamed for a long wait") {
  GameFrame waited = frame(12ms, 16);
  waited.values.set(FrameMetric::FaultTime, 70us);
  waited.values.set(FrameMetric::ThreadFaultTime, 70us);
  waited.values.setThreadTime(ThreadTime{.inFaults = {70us, 0ms, 0ms}, .waiting = 11'900us, .sleeping = 0ms});
  const FrameVerdict verdict = judgeOf({}).judge(waited);
  CHECK(verdict.late);
  CHECK_FALSE(verdict.lateByFaults);
}

TEST_CASE("A missed slot of the display is blamed on the part that grew") {
  const FrameVerdict byFaults = pacedJudge(16'667us).judge(pacedFrame(16'667us, 33'333us, 5ms, 0ms));
  CHECK((byFaults.late && byFaults.lateByFaults && byFaults.likely));
  const FrameVerdict byWork = pacedJudge(16'667us).judge(pacedFrame(16'667us, 33'333us, 1ms, 14ms));
  CHECK((byWork.late && !byWork.lateByFaults));
  const FrameVerdict bySleep = pacedJudge(16'667us).judge(pacedFrame(16'667us, 33'333us, 10us, 0ms));
  CHECK((bySleep.late && !bySleep.lateByFaults));
  const FrameVerdict measured = pacedJudge(16'667us).judge(pacedFrame(16'667us, 33'333us, 18ms, 0ms));
  CHECK((measured.lateByFaults && !measured.likely));
}

TEST_CASE("Without the thread's own time a missed slot is blamed on faults that took all of the time beyond it") {
  for (const auto inFaults : {2ms, 18ms}) {
    FrameJudge judge({});
    GameFrame paced = frame(16'667us, 16);
    paced.values.set(FrameMetric::FaultTime, 10us);
    for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(paced));
    paced.duration = 33'333us;
    paced.values.set(FrameMetric::FaultTime, inFaults);
    const FrameVerdict verdict = judge.judge(paced);
    CHECK(verdict.late);
    CHECK(verdict.lateByFaults == (inFaults == 18ms));
    CHECK(verdict.likely == verdict.lateByFaults);
  }
}

TEST_CASE("The deadline of a game that keeps a cadence is its cadence") {
  for (const auto period : {28'571us, 40'000us, 6'944us}) {
    FrameJudge judge = pacedJudge(period);
    const FrameVerdict inTime = judge.judge(pacedFrame(period, period + 300us, 200us, 0ms));
    CHECK_FALSE(inTime.late);
    CHECK(inTime.deadline == FrameDeadline{period, DeadlineBy::Cadence});
    CHECK(judge.judge(pacedFrame(period, 2 * period, 200us, 0ms)).late);
  }
  FrameJudge given({.budget = 20ms});
  for (int i = 0; i < 100; ++i) static_cast<void>(given.judge(pacedFrame(40ms, 40ms, 10us, 0ms)));
  const FrameVerdict late = given.judge(pacedFrame(40ms, 40ms, 10us, 0ms));
  CHECK(late.late);  // a budget that was chosen is kept
  CHECK(late.deadline == FrameDeadline{20ms, DeadlineBy::Given});
}

TEST_CASE("Frames far shorter than any display's keep no cadence, and are not late by fractions of a millisecond") {
  FrameJudge judge = pacedJudge(90us);
  CHECK_FALSE(judge.judge(pacedFrame(90us, 170us, 40us, 0ms)).late);
}

TEST_CASE("A game that blocks in each of its frames keeps the display's cadence though its work fills the frame") {
  FrameJudge judge({});
  const auto full = [](Nanoseconds lasted, Nanoseconds inFaults) {
    return pacedFrame(16'667us, lasted, inFaults, 16'200us);
  };
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(full(i % 3 == 0 ? 33'333us : 16'667us, 10us)));
  static_cast<void>(judge.judge(full(16'667us, 10us)));
  const FrameVerdict verdict = judge.judge(full(33'333us, 5ms));
  CHECK((verdict.late && verdict.lateByFaults));
  FrameJudge busy({});  // nearly half of the frames miss their slot, some wake up late
  for (int i = 0; i < 100; ++i)
    static_cast<void>(
        busy.judge(full(std::array{16'667us, 33'333us, 16'667us, 18'000us, 33'333us, 16'667us, 33'333us}.at(
                            static_cast<std::size_t>(i) % 7),
                        10us)));
  const FrameVerdict still = busy.judge(full(33'333us, 5ms));
  CHECK((still.late && still.lateByFaults));
}

TEST_CASE("Faults without a measured time, as of pages populated in advance, are blamed at their assumed cost") {
  const auto populated = [](std::uint64_t faults, std::uint64_t timed) {
    FrameJudge judge({.nsPerFault = 1000});
    for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(pacedFrame(16'667us, 16'667us, 10us, 0ms)));
    GameFrame missed = pacedFrame(16'667us, 33'333us, 10us, 20ms);
    missed.values.set(FrameMetric::MinorFaults, faults);
    missed.values.set(FrameMetric::ThreadMinorFaults, faults);
    missed.values.setTimedFaults(timed);
    return JudgedFrame{missed, judge.judge(missed)};
  };
  const JudgedFrame some = populated(8016, 16);
  CHECK((some.verdict.lateByFaults && some.verdict.likely && some.verdict.estimated));
  CHECK(some.verdict.faultTime == 8'010us);
  CHECK_THAT(frameText(some), Catch::Matchers::ContainsSubstring(", about 8.01 ms in them; its ") &&
                                  Catch::Matchers::ContainsSubstring(" other and in faults without a measured time"));
  CHECK(populated(80'016, 16).verdict.faultTime == 20'010us);  // as long as the thread ran
  const JudgedFrame none = populated(8016, 8016);
  CHECK((none.verdict.late && !none.verdict.lateByFaults && !none.verdict.estimated));
}

TEST_CASE(
    "A frame whose thread ran for longer was perhaps late by giving memory back, if the time of that is unknown") {
  const auto late = [](Nanoseconds waiting, std::optional<Nanoseconds> teardown) {
    GameFrame slow = frame(30ms, 16);
    slow.values.set(FrameMetric::FaultTime, 70us);
    slow.values.set(FrameMetric::ThreadFaultTime, 70us);
    slow.values.set(FrameMetric::ThreadTeardownTime, teardown);
    slow.values.setThreadTime(ThreadTime{.inFaults = {70us, 0ms, 0ms}, .waiting = waiting, .sleeping = 0ms});
    FrameJudge usual({});
    for (int i = 0; i < 100; ++i) {
      GameFrame before = frame(4ms, 16);
      before.values.setThreadTime(ThreadTime{});
      static_cast<void>(usual.judge(before));
    }
    return JudgedFrame{slow, usual.judge(slow)};
  };
  CHECK_FALSE(late(25ms, std::nullopt).verdict.perhapsByTeardown);
  CHECK(late(20ms, std::nullopt).verdict.perhapsByTeardown);  // 6 of 10 ms, and 12 of these 20
  CHECK_FALSE(late(0ms, 0ms).verdict.perhapsByTeardown);
  const JudgedFrame perhaps = late(0ms, std::nullopt);
  CHECK((perhaps.verdict.late && perhaps.verdict.perhapsByTeardown && !perhaps.verdict.lateByMemory()));
  CHECK_THAT(frameText(perhaps), Catch::Matchers::EndsWith(" of it by faults, perhaps because of giving memory "
                                                           "back, whose time is unavailable"));
  FrameTally tally;
  tally.add(perhaps.frame, perhaps.verdict);
  CHECK(summaryText(tally) ==
        "0 of 1 frames late because of page faults; 1 late for other reasons (perhaps because of giving memory back, "
        "whose time is unavailable); the longest frame took 30.0 ms.");
  tally.add(perhaps.frame, late(25ms, std::nullopt).verdict);
  CHECK_THAT(summaryText(tally),
             Catch::Matchers::ContainsSubstring("; 2 late for other reasons (1 perhaps because of"));
  std::string known;
  forEachColumn(perhaps.frame, perhaps.verdict, [&](std::string_view name, const auto& value) {
    if (name == "late_by_teardown") known = value ? "known" : "unknown";
  });
  CHECK(known == "unknown");
}

TEST_CASE("A measured time in faults takes precedence over an estimate") {
  GameFrame measured = frame(26ms, 8000);
  measured.values.set(FrameMetric::FaultTime, 3ms);
  const FrameVerdict verdict = judgeOf({.nsPerFault = 1000}).judge(measured);
  CHECK(verdict.faultTime == 3ms);
  CHECK_FALSE(verdict.estimated);
}

TEST_CASE("A frame slightly over a budget that was chosen is not late") {
  FrameJudge judge({.budget = 16'600us, .nsPerFault = 1000});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(frame(16'600us, 16)));
  CHECK_FALSE(judge.judge(frame(16'930us, 200)).late);
  const FrameVerdict verdict = judge.judge(frame(16'940us, 200));
  CHECK(verdict.late);
  CHECK(verdict.excess == 340us);
  CHECK_FALSE(verdict.lateByFaults);
}

TEST_CASE("Within the budget, a frame is late if it stands out") {
  FrameJudge judge = judgeOf({});
  CHECK_FALSE(judge.judge(frame(7ms, 16)).late);
  const FrameVerdict verdict = judge.judge(frame(12ms, 16));
  CHECK(verdict.late);
  CHECK(verdict.excess == 8ms);
  CHECK_FALSE(verdict.lateByFaults);

  FrameJudge fast({.budget = 16ms});
  for (int i = 0; i < 100; ++i) static_cast<void>(fast.judge(frame(500us, 16)));
  CHECK_FALSE(fast.judge(frame(2100us, 16)).late);  // a tenth of the budget beyond the usual
  CHECK(fast.judge(frame(2101us, 16)).late);
}

TEST_CASE("Where a third of the frames is as long, none of them stands out") {
  FrameJudge judge({});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(frame(i % 3 == 0 ? 7ms : 3ms, 16)));
  CHECK_FALSE(judge.judge(frame(7500us, 16)).late);
  CHECK(judge.judge(frame(9ms, 16)).late);
}

TEST_CASE("If the time in faults is unknown, unusually many faults leave the verdict open") {
  FrameJudge judge = judgeOf({});
  CHECK_FALSE(judge.judge(frame(4ms, 80)).costly);  // 64 more than usual
  CHECK(judge.judge(frame(4ms, 81)).costly);
  const FrameVerdict verdict = judge.judge(frame(20ms, 8192));
  CHECK((verdict.costly && verdict.late && !verdict.lateByFaults && verdict.perhapsByFaults));
  CHECK_FALSE((verdict.explained || verdict.faultTime));
}

TEST_CASE("A frame of an assumed length is never late") {
  CHECK_FALSE(judgeOf({.timesAreMeasured = false}).judge(frame(100ms, 16)).late);
}

}  // namespace faultline::test
