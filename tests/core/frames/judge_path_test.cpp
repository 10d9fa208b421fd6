// Verdicts by the path of a frame: what its thread waited for, and what faults take that no program can time.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "tests/core/frames/judged_frames.h"

namespace faultline::test {

using namespace std::chrono_literals;

namespace {

// A frame whose thread slept for all but 4 ms of it, while another thread was in faults; with the path, for `awaited`.
GameFrame beside(Nanoseconds lasted, Nanoseconds faultsOfOther, std::optional<Nanoseconds> awaited,
                 std::optional<Nanoseconds> teardown = std::nullopt) {
  GameFrame sleeps = frame(lasted, 0);
  sleeps.values.set(FrameMetric::MinorFaults, static_cast<std::uint64_t>(faultsOfOther / 1us));
  sleeps.values.set(FrameMetric::FaultTime, faultsOfOther);
  sleeps.values.set(FrameMetric::ThreadFaultTime, 0ms);
  sleeps.values.set(FrameMetric::ThreadTeardownTime, 0ms);
  sleeps.values.setThreadTime(ThreadTime{.inFaults = {}, .waiting = 0ms, .sleeping = lasted - 4ms});
  if (!awaited) return sleeps;
  sleeps.values.set(FrameMetric::ThreadAwaiting, *awaited + teardown.value_or(0ms));
  sleeps.values.set(FrameMetric::ThreadAwaitedFaultTime, *awaited);
  sleeps.values.set(FrameMetric::ThreadAwaitedTeardownTime, teardown.value_or(0ms));
  return sleeps;
}

FrameVerdict verdictOf(const GameFrame& usual, const GameFrame& last) {
  FrameJudge judge({});
  for (int i = 0; i < 100; ++i) static_cast<void>(judge.judge(usual));
  return judge.judge(last);
}

}  // namespace

TEST_CASE("A frame pays for the faults of a thread for which its own waited, and not for a bystander's") {
  const GameFrame usual = beside(4ms, 0ms, 0ms);
  const FrameVerdict waited = verdictOf(usual, beside(30ms, 24ms, 22ms));
  CHECK((waited.lateByFaults && !waited.likely));
  const FrameVerdict bystander = verdictOf(usual, beside(30ms, 24ms, 0ms));
  CHECK((bystander.late && !bystander.lateByMemory() && !bystander.perhapsByFaults));
  const FrameVerdict some = verdictOf(usual, beside(30ms, 24ms, 4ms));
  CHECK((some.late && !some.lateByMemory()));
  CHECK(some.explained.value() == Catch::Approx(4 / 13.3));
  const FrameVerdict gaveBack = verdictOf(usual, beside(30ms, 0ms, 1ms, 21ms));
  CHECK((gaveBack.lateByTeardown && !gaveBack.lateByFaults));
}

TEST_CASE(
    "A slot that was missed by waiting for another thread's faults is blamed on them, and not one that nobody's") {
  const GameFrame usual = beside(16'667us, 0ms, 0ms);
  const FrameVerdict waited = verdictOf(usual, beside(33'333us, 15ms, 15ms));
  CHECK((waited.lateByFaults && !waited.likely));
  const FrameVerdict unclear = verdictOf(usual, beside(33'333us, 7ms, 7ms));  // 11 ms of 16.7
  CHECK((unclear.lateByFaults && unclear.likely));
  const FrameVerdict bystander = verdictOf(usual, beside(33'333us, 28ms, 0ms));
  CHECK((bystander.late && !bystander.lateByMemory() && !bystander.perhapsByFaults));
}

TEST_CASE("Where nothing tells for whom a thread waited, faults of others leave the verdict open") {
  const FrameVerdict open = verdictOf(beside(4ms, 0ms, std::nullopt), beside(30ms, 24ms, std::nullopt));
  CHECK((open.late && !open.lateByMemory() && open.perhapsByFaults));
  const FrameVerdict few = verdictOf(beside(4ms, 0ms, std::nullopt), beside(30ms, 1ms, std::nullopt));
  CHECK((few.late && !few.lateByMemory() && !few.perhapsByFaults));
}

TEST_CASE("The time that faults take besides the measured one counts as the watch has seen it") {
  const auto reads = [](Nanoseconds lasted, Nanoseconds inFaults, std::optional<Nanoseconds> unseen) {
    GameFrame busy = frame(lasted, static_cast<std::uint64_t>(inFaults / 1us));
    busy.values.set(FrameMetric::FaultTime, inFaults);
    busy.values.set(FrameMetric::ThreadFaultTime, inFaults);
    busy.values.setThreadTime(ThreadTime{.inFaults = {inFaults, 0ms, 0ms}, .waiting = 0ms, .sleeping = 0ms});
    busy.values.set(FrameMetric::UnseenFaultTime, unseen);
    return busy;
  };
  // Seen: 7 000 reads of the zero page took 16.8 ms, of which 8.2 ms were measured.
  const FrameVerdict known = verdictOf(reads(12ms, 0ms, 1us), reads(28'500us, 8ms, 1us));
  CHECK((known.lateByFaults && known.likely));
  CHECK_FALSE(verdictOf(reads(12ms, 0ms, 100ns), reads(30ms, 6ms, 100ns)).lateByFaults);
}

}  // namespace faultline::test
