// The numbers at which a verdict turns, and what is taken for a cadence.
#include <catch2/catch_test_macros.hpp>

#include "tests/core/frames/judged_frames.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// Its thread sleeps for `slept`, in which it waits for others of the game for `awaiting`; without faults.
GameFrame sleeper(Nanoseconds lasted, Nanoseconds slept, Nanoseconds awaiting = 0ns) {
  GameFrame sleeps = frame(lasted, 0);
  sleeps.values.set(FrameMetric::FaultTime, 0ns);
  sleeps.values.set(FrameMetric::ThreadFaultTime, 0ns);
  sleeps.values.setThreadTime(ThreadTime{.inFaults = {}, .waiting = 0ns, .sleeping = slept});
  sleeps.values.set(FrameMetric::ThreadAwaiting, awaiting);
  return sleeps;
}

FrameVerdict after(const GameFrame& usual, const GameFrame& last, const FrameRules& rules = {}) {
  FrameJudge judge(rules);
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(usual));
  return judge.judge(last);
}

}  // namespace

TEST_CASE("A game that runs free keeps no cadence, though its frames last as long as those of a display") {
  const auto deadline = [](const GameFrame& usual) { return after(usual, usual).deadline.value(); };
  CHECK(deadline(sleeper(13'889us, 0us)) == FrameDeadline{16'700us, DeadlineBy::Default});
  CHECK(deadline(sleeper(13'889us, 200us)) == FrameDeadline{16'700us, DeadlineBy::Default});  // for a lock or a worker
  CHECK(deadline(sleeper(13'889us, 400us)) == FrameDeadline{13'889us, DeadlineBy::Cadence});
  // The thread waits for others of the game; at a common rate these may be a library's, and wait for the display.
  CHECK(deadline(sleeper(67ms, 60ms, 59ms)) == FrameDeadline{67ms, DeadlineBy::Usual});
  CHECK(deadline(sleeper(67ms, 60ms, 57ms)) == FrameDeadline{67ms, DeadlineBy::Cadence});
  CHECK(deadline(sleeper(13'889us, 6ms, 6ms)) == FrameDeadline{13'889us, DeadlineBy::Cadence});
  // A loop that runs free waits for the display's server: frames that differ by 6 % are slots at a common rate alone.
  const auto uneven = [&](Nanoseconds usual, const auto& lasting) {
    FrameJudge judge({});
    for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(lasting(usual + (i % 7 - 3) * usual / 50)));
    return judge.paced();
  };
  const auto sleeping = [&](Nanoseconds lasted) { return sleeper(lasted, lasted / 5); };
  CHECK_FALSE(uneven(15'200us, sleeping));
  CHECK(uneven(16'667us, sleeping));
  // Where nothing tells how long the thread slept, the rate decides, and frames that keep it closely.
  CHECK(deadline(frame(13'889us, 0)) == FrameDeadline{13'889us, DeadlineBy::Cadence});
  CHECK_FALSE(uneven(13'889us, [](Nanoseconds lasted) { return frame(lasted, 0); }));
  CHECK(deadline(frame(12'800us, 0)) == FrameDeadline{16'700us, DeadlineBy::Default});
}

TEST_CASE("A slot is missed by a tenth of it, and a usual length by a quarter") {
  const GameFrame slot = sleeper(16'667us, 8ms);
  CHECK_FALSE(after(slot, sleeper(18'300us, 8ms)).late);
  CHECK(after(slot, sleeper(18'400us, 8ms)).late);
  CHECK_FALSE(after(frame(37ms, 0), frame(46ms, 0)).late);
  CHECK(after(frame(37ms, 0), frame(46'500us, 0)).late);
}

TEST_CASE("No cadence has slots of less than a millisecond and a half") {
  CHECK(after(sleeper(1'600us, 800us), sleeper(3'200us, 800us)).late);
  CHECK_FALSE(after(sleeper(1'400us, 700us), sleeper(2'800us, 700us)).late);
}

TEST_CASE("Faults of an assumed cost leave a verdict open up to eight times that cost") {
  const auto open = [](std::uint64_t untimed) {
    GameFrame late = sleeper(19ms, 0ms);  // by 2.3 ms
    late.values.set(FrameMetric::MinorFaults, untimed);
    late.values.set(FrameMetric::ThreadMinorFaults, untimed);
    late.values.set(FrameMetric::ThreadMajorFaults, 0);
    late.values.set(FrameMetric::TimedFaults, 0);
    return after(sleeper(12ms, 0ms), late, {.nsPerFault = 4000}).perhapsByFaults;
  };
  CHECK(open(36));
  CHECK_FALSE(open(34));
}

}  // namespace faultline::test
