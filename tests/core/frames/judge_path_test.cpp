// Verdicts by the path of a frame: what its thread waited for, and what faults take that no program can time.
#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include "core/frames/fault_path.h"
#include "core/frames/tally.h"
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

// A frame whose thread ran, but for its time in faults.
GameFrame faulting(Nanoseconds lasted, Nanoseconds inFaults) {
  GameFrame busy = frame(lasted, static_cast<std::uint64_t>(inFaults / 1us));
  busy.values.set(FrameMetric::FaultTime, inFaults);
  busy.values.set(FrameMetric::ThreadFaultTime, inFaults);
  busy.values.setThreadTime(ThreadTime{.inFaults = {inFaults, 0ms, 0ms}, .waiting = 0ms, .sleeping = 0ms});
  return busy;
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
  CHECK((waited.costly && !bystander.costly && !verdictOf(usual, beside(12ms, 9ms, 0ms)).costly));
  CHECK(verdictOf(beside(4ms, 0ms, std::nullopt), beside(12ms, 9ms, std::nullopt))
            .costly);  // not known for whom it waited
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

TEST_CASE(
    "A frame that waited for its processor is not blamed on some faults because frames with a later deadline did") {
  const auto paced = [](Nanoseconds lasted, Nanoseconds waiting, Nanoseconds inFaults) {
    GameFrame frame = faulting(lasted, inFaults);
    frame.values.setThreadTime(ThreadTime{
        .inFaults = {inFaults, 0ms, 0ms}, .waiting = waiting, .sleeping = lasted - 8ms - waiting - inFaults});
    frame.values.set(FrameMetric::ThreadAwaiting, 0ms);
    return frame;
  };
  FrameJudge judge({});
  for (int i = 0; i < 64; ++i) static_cast<void>(judge.judge(paced(33'333us, 14500us, 100us)));
  for (int i = 0; i < 40; ++i) static_cast<void>(judge.judge(paced(16'667us, 0ms, 100us)));
  const FrameVerdict verdict = judge.judge(paced(33'333us, 14ms, 1ms));
  REQUIRE(verdict.deadline->after == 16'667us);
  CHECK((verdict.late && !verdict.lateByMemory()));
  CHECK(verdict.explained.value() < 0.2);
}

TEST_CASE("The path of a frame is its thread's faults, and of others' the share for which it waited") {
  const auto pathOf = [](const GameFrame& last) { return faultPathOf({last, verdictOf(beside(4ms, 0ms, 0ms), last)}); };
  CHECK(pathOf(beside(30ms, 24ms, 24ms)) == FaultPath{.thread = 0, .ofOthers = 1});
  CHECK(pathOf(beside(30ms, 44ms, 22ms)) == FaultPath{.thread = 0, .ofOthers = 0.5});
  CHECK(pathOf(beside(30ms, 60ms, 24ms)) == FaultPath{.thread = 0, .ofOthers = 0.4, .clear = false});
  CHECK(pathOf(beside(30ms, 24ms, 0ms)) == FaultPath{.thread = 0});  // late for other reasons
  CHECK_FALSE(pathOf(beside(30ms, 24ms, std::nullopt)));
  GameFrame known = beside(30ms, 60ms, 24ms);
  known.values.set(FrameMetric::ThreadAwaitedThread, 9U);
  CHECK(pathOf(known) == FaultPath{.thread = 0, .ofOthers = 0.4, .awaited = 9, .ofAwaited = 1});
  std::vector<FaultSample> samples(2);
  samples[0].thread = 9;
  samples[0].weight = 3;
  samples[0].took = 10ms;
  samples[1].thread = 8;
  samples[1].took = 30ms;
  const JudgedFrame judged{known, verdictOf(beside(4ms, 0ms, 0ms), known)};
  CHECK(faultPathOf(judged, samples) ==
        FaultPath{.thread = 0, .ofOthers = 0.4, .awaited = 9, .ofAwaited = 0.8});  // 24 of 30 ms
  GameFrame own = faulting(30ms, 20ms);
  own.thread = 7;
  own.values.set(FrameMetric::FaultTime, 50ms);
  own.values.set(FrameMetric::ThreadAwaitedFaultTime, 100us);
  CHECK(pathOf(own) == FaultPath{.thread = 7, .ofOthers = 0});  // not the bystander
}

TEST_CASE("Where nothing tells for whom a thread waited, faults of others leave the verdict open") {
  const FrameVerdict open = verdictOf(beside(4ms, 0ms, std::nullopt), beside(30ms, 24ms, std::nullopt));
  CHECK((open.late && !open.lateByMemory() && open.perhapsByFaults));
  const FrameVerdict few = verdictOf(beside(4ms, 0ms, std::nullopt), beside(30ms, 1ms, std::nullopt));
  CHECK((few.late && !few.lateByMemory() && !few.perhapsByFaults));
}

TEST_CASE("A frame that samples of its faults made late is not late because of faults, and the texts say so") {
  const auto sampled = [](Nanoseconds lasted, Nanoseconds inFaults, Nanoseconds sampling) {
    GameFrame busy = faulting(lasted, inFaults);
    busy.values.set(FrameMetric::ThreadSamplingTime, sampling);
    return busy;
  };
  const GameFrame usual = sampled(4ms, 0ms, 0ms);
  const GameFrame last = sampled(22ms, 8ms, 9ms);
  const FrameVerdict bySampling = verdictOf(usual, last);
  CHECK((bySampling.late && bySampling.lateBySampling && !bySampling.lateByMemory() && !bySampling.perhapsByFaults));
  CHECK(bySampling.excess == 5300us);
  const FrameVerdict byFaults = verdictOf(usual, sampled(22ms, 8ms, 0ms));
  CHECK((byFaults.lateByFaults && !byFaults.lateBySampling));
  const FrameVerdict byBoth = verdictOf(usual, sampled(30ms, 14ms, 9ms));  // 21 ms without samples
  CHECK((byBoth.lateByFaults && !byBoth.lateBySampling));
  const FrameVerdict anyway = verdictOf(usual, sampled(30ms, 2ms, 1ms));
  CHECK((anyway.late && !anyway.lateBySampling && !anyway.lateByMemory()));

  FrameTally tally;
  tally.add(last, bySampling);
  CHECK(summaryText(tally).find("1 late for other reasons (because Faultline sampled their faults: sample fewer)") !=
        std::string::npos);
  const std::string text = frameText({last, bySampling});
  CHECK(text.find(", with 9.00 ms in which Faultline sampled them, late by 5.30 ms, because Faultline sampled its "
                  "faults") != std::string::npos);
}

TEST_CASE("The time that faults take besides the measured one counts as the watch has seen it") {
  const auto reads = [](Nanoseconds lasted, Nanoseconds inFaults, std::optional<Nanoseconds> unseen) {
    GameFrame busy = faulting(lasted, inFaults);
    busy.values.set(FrameMetric::UnseenFaultTime, unseen);
    return busy;
  };
  // Seen: 7 000 reads of the zero page took 16.8 ms, of which 8.2 ms were measured.
  const FrameVerdict known = verdictOf(reads(12ms, 0ms, 1us), reads(28'500us, 8ms, 1us));
  CHECK((known.lateByFaults && known.likely));
  CHECK_FALSE(verdictOf(reads(12ms, 0ms, 100ns), reads(30ms, 6ms, 100ns)).lateByFaults);
  const FrameVerdict some = verdictOf(reads(12ms, 0ms, 1us), reads(40ms, 4ms, 1us));
  CHECK_FALSE(some.lateByMemory());
  CHECK(some.explained.value() == Catch::Approx(8 / 23.3));
}

TEST_CASE("Faults that made a frame late only with what watching them may add did so probably, and the text says so") {
  const auto watched = [](Nanoseconds lasted, Nanoseconds inFaults) {
    GameFrame busy = faulting(lasted, inFaults);
    busy.values.set(FrameMetric::UnseenFaultTime, 500ns);
    return busy;
  };
  const GameFrame usual = watched(12ms, 0ms);
  const GameFrame close = watched(18'500us, 4ms);  // 2 ms of it beside the measured 4
  const FrameVerdict verdict = verdictOf(usual, close);
  CHECK((verdict.lateByFaults && verdict.likely && verdict.perhapsByWatching));
  CHECK_THAT(frameText({close, verdict}),
             Catch::Matchers::EndsWith("by faults, probably because of them, or because Faultline watches its "
                                       "faults"));
  FrameTally tally;
  tally.add(close, verdict);
  CHECK_THAT(summaryText(tally), Catch::Matchers::StartsWith("1 of 1 frames late because of page faults (probably, "
                                                             "perhaps because Faultline watches them); worst:"));
  const FrameVerdict far = verdictOf(usual, watched(19'500us, 6'500us));
  CHECK((far.lateByFaults && far.likely && far.perhapsByWatching));
  const FrameVerdict certain = verdictOf(usual, watched(26ms, 12ms));
  CHECK((certain.lateByFaults && !certain.likely && !certain.perhapsByWatching));
  const FrameVerdict anyway = verdictOf(usual, watched(30ms, 2ms));
  CHECK((anyway.late && !anyway.lateByMemory() && !anyway.perhapsByWatching));
}

TEST_CASE("The share of faults in a frame's lateness is theirs alone, and waits that came with them are told besides") {
  GameFrame usual = frame(100ms, 0);
  usual.values.set(FrameMetric::FaultTime, 0ms);
  usual.values.setThreadTime(ThreadTime{.inFaults = {}, .waiting = 88ms, .sleeping = 0ms});
  GameFrame late = frame(200ms, 8000);
  late.values.set(FrameMetric::FaultTime, 12ms);
  late.values.setThreadTime(ThreadTime{.inFaults = {12ms, 0ms, 0ms}, .waiting = 176ms, .sleeping = 0ms});
  late.values.set(FrameMetric::UnseenFaultTime, 0ns);
  const FrameVerdict verdict = verdictOf(usual, late);
  REQUIRE((verdict.lateByFaults && verdict.likely));
  CHECK(verdict.explained.value() == Catch::Approx(13.8 / 100));
  CHECK_THAT(frameText({late, verdict}),
             Catch::Matchers::ContainsSubstring("100 % of it by faults and the waits for a processor that came with "
                                                "them (13.8 % by faults alone), probably"));
}

TEST_CASE("The waits for a processor of threads for which a frame waited come with their faults, in proportion") {
  const auto late = [](Nanoseconds inFaults, Nanoseconds waited) {
    GameFrame frame = beside(33ms, inFaults, 25ms);
    frame.values.set(FrameMetric::ThreadAwaitedFaultTime, inFaults);
    frame.values.set(FrameMetric::ThreadAwaitedWaiting, waited);
    frame.values.set(FrameMetric::UnseenFaultTime, 0ns);
    return JudgedFrame{frame, verdictOf(beside(4ms, 0ms, 0ms), frame)};
  };
  const JudgedFrame waits = late(9ms, 12ms);  // 9 of the 13 ms in which it ran: 8.3 of 12
  REQUIRE((waits.verdict.lateByFaults && waits.verdict.likely));
  CHECK(waits.verdict.explained.value() == Catch::Approx(9 * 1.15 / 16.3));  // with what is unseen of faults
  CHECK(waits.verdict.explainedWithWaits() == 1);
  CHECK_THAT(frameText(waits), Catch::Matchers::ContainsSubstring(
                                   "25.0 ms waiting for other threads of the game (9.00 ms of it for their faults, "
                                   "12.0 ms of it while they waited for a processor)"));
  CHECK_FALSE(late(9ms, 0ms).verdict.lateByFaults);
  CHECK_FALSE(late(2ms, 12ms).verdict.lateByMemory());  // 2 of 13
}

TEST_CASE("A wait for a thread that may have given memory back is told, unless hardly any was given back") {
  const auto waits = [](Nanoseconds lasted, Nanoseconds awaiting, std::optional<std::uint64_t> freed) {
    GameFrame frame = beside(lasted, 0ms, 0ms);
    frame.values.set(FrameMetric::ThreadTeardownTime, std::optional<Nanoseconds>());
    frame.values.set(FrameMetric::ThreadAwaiting, awaiting);
    frame.values.set(FrameMetric::FreedBytes, freed);
    return frame;
  };
  const auto late = [&](Nanoseconds awaiting, std::optional<std::uint64_t> freed) {
    return verdictOf(waits(4ms, 0ms, freed ? std::optional<std::uint64_t>(0) : freed), waits(30ms, awaiting, freed));
  };
  constexpr std::uint64_t kMuch = std::uint64_t{512} << 20U;
  CHECK(late(24ms, kMuch).perhapsByTeardown);
  CHECK(late(24ms, std::nullopt).perhapsByTeardown);
  CHECK_FALSE(late(24ms, std::uint64_t{16} << 10U).perhapsByTeardown);
  CHECK(late(24ms, 13'000'000).perhapsByTeardown);  // a nanosecond per byte of half of the wait
  CHECK_FALSE(late(24ms, 11'000'000).perhapsByTeardown);
  CHECK_FALSE(late(2ms, kMuch).perhapsByTeardown);  // nobody of the game woke it
}

}  // namespace faultline::test
