// Joining the frames of another tool's log with recorded faults: whole, divided and outside slots, and alignment.
#include "core/join/frame_join.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <numeric>
#include <random>

#include "core/join/frame_align.h"
#include "core/model/frame_numbers.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

GameFrame slot(Nanoseconds start, Nanoseconds duration, std::uint64_t faults) {
  GameFrame frame;
  frame.start = {start};
  frame.duration = duration;
  frame.values.set(FrameMetric::MinorFaults, faults);
  return frame;
}

// Slots at 0 ms, 1 ms, 2 ms, ... with these numbers of faults.
std::vector<GameFrame> slots(std::initializer_list<std::uint64_t> faults) {
  std::vector<GameFrame> made;
  for (const std::uint64_t count : faults) made.push_back(slot(made.size() * 1ms, 1ms, count));
  return made;
}

std::uint64_t sum(const JoinedFrames& joined) {
  return std::accumulate(
      joined.frames.begin(), joined.frames.end(), std::uint64_t{0},
      [](std::uint64_t total, const GameFrame& frame) { return total + frame.values.minorFaults(); });
}

// A game with frames of roughly 4 ms and an occasional long frame.
std::vector<GameFrame> unevenGame(std::size_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<GameFrame> frames;
  Nanoseconds time = 1000s;
  for (std::size_t i = 0; i < count; ++i) {
    const Nanoseconds duration = 3900us + std::chrono::microseconds(random() % 200) + (i % 50 == 0 ? 20ms : 0ms);
    frames.push_back(slot(time, duration, 16));
    frames.back().number = i;
    time += duration;
  }
  return frames;
}

// Another tool's log of these frames: from its own start, up to 20 us later.
std::vector<FrameSpan> asLogged(std::span<const GameFrame> frames, Nanoseconds beginning) {
  std::mt19937 random(7);
  std::vector<FrameSpan> log;
  Nanoseconds last = frames.front().start.sinceEpoch;
  for (const GameFrame& frame : frames) {
    const Nanoseconds end = frame.start.sinceEpoch + frame.duration + std::chrono::microseconds(random() % 20);
    log.push_back({last - beginning, end - last});
    last = end;
  }
  return log;
}

}  // namespace

TEST_CASE("Slots within a frame are counted whole, and the counts are exact") {
  const auto recorded = slots({1, 2, 4, 8, 16, 32});
  const std::vector<FrameSpan> log{{-1ms, 2ms}, {1ms, 2ms}, {3ms, 1ms}};
  const JoinedFrames joined = joinFrames(log, recorded, {.offset = 1ms});
  REQUIRE(joined.frames.size() == 3);
  CHECK(joined.frames[0].values.minorFaults() == 1 + 2);
  CHECK(joined.frames[1].values.minorFaults() == 4 + 8);
  CHECK(joined.frames[2].values.minorFaults() == 16);
  CHECK(joined.frames[2].start == MonotonicTime{4ms});
  CHECK(joined.frames[2].number == 3);
  CHECK(joined.divided == 0);
  CHECK(joined.outside == 0);
}

TEST_CASE("A slot shared by two frames is divided by time, without loss or duplication") {
  const auto recorded = slots({0, 1000, 0, 7, 7});
  const std::vector<FrameSpan> log{{0ms, 1250us}, {1250us, 1ms}, {2250us, 2750us}};
  const JoinedFrames joined = joinFrames(log, recorded, {});
  REQUIRE(joined.frames.size() == 3);
  CHECK(joined.frames[0].values.minorFaults() == 250);
  CHECK(joined.frames[1].values.minorFaults() == 750);
  CHECK(joined.frames[2].values.minorFaults() == 14);
  CHECK(joined.divided == 2);  // the third begins in a slot without faults
}

TEST_CASE("Frames before, after and across a gap of the recording are omitted") {
  auto recorded = slots({1, 1, 1, 1});
  recorded.erase(recorded.begin() + 2);
  const std::vector<FrameSpan> log{{-1ms, 2ms}, {0ms, 2ms}, {1ms, 2ms}, {1ms, 3ms}, {3ms, 1ms}, {3ms, 2ms}, {9ms, 1ms}};
  const JoinedFrames joined = joinFrames(log, recorded, {});
  REQUIRE(joined.frames.size() == 2);
  CHECK(joined.frames[0].number == 2);
  CHECK(joined.frames[1].number == 5);
  CHECK(joined.outside == 5);
}

TEST_CASE("Zeroed bytes and time in faults are joined if the whole recording has them") {
  auto recorded = slots({1, 1});
  for (GameFrame& frame : recorded) frame.values.set(FrameMetric::FaultTime, 100us);
  recorded[0].values.set(FrameMetric::ZeroedBytes, 4096);
  const std::vector<FrameSpan> log{{0ms, 2ms}};
  const JoinedFrames joined = joinFrames(log, recorded, {});
  REQUIRE(joined.frames.size() == 1);
  CHECK(joined.frames[0].values.time(FrameMetric::FaultTime) == 200us);
  CHECK_FALSE(joined.frames[0].values.get(FrameMetric::ZeroedBytes));
}

TEST_CASE("Each time and each size of all threads is joined, and no part is more than its whole") {
  auto recorded = slots({10, 10, 10, 10});
  for (GameFrame& frame : recorded) {
    frame.values.setFaults(10, 0);
    for (const FrameField& row : kFrameFields)
      if (isMean(row)) frame.values.set(row.metric, std::uint64_t{333});
    frame.values.setTimedFaults(7);
  }
  recorded[1].values.setTimedFaults(10);  // all
  const JoinedFrames joined =
      joinFrames(std::vector<FrameSpan>{{0ms, 2ms}, {2ms, 1300us}, {3300us, 700us}}, recorded, {});
  REQUIRE(joined.frames.size() == 3);
  for (const FrameField& row : kFrameFields) {
    if (!isMean(row)) continue;
    CAPTURE(row.name);
    CHECK(joined.frames[0].get(row.metric) == 666U);
    CHECK(*joined.frames[1].get(row.metric) + *joined.frames[2].get(row.metric) == 666U);
    for (const GameFrame& frame : joined.frames)
      if (row.whole) CHECK(frame.get(row.metric) <= frame.get(*row.whole));
  }
  CHECK(joined.frames[0].get(FrameMetric::TimedFaults) == 17U);
  recorded[3].values.clear(FrameMetric::FreedBytes);
  CHECK_FALSE(joinFrames(std::vector<FrameSpan>{{0ms, 2ms}}, recorded, {}).frames[0].get(FrameMetric::FreedBytes));
}

TEST_CASE("Minor and major faults that the recording does not tell apart stay so") {
  auto recorded = slots({3, 4});
  recorded[0].values.clear(FrameMetric::MajorFaults);
  recorded[1].values.set(FrameMetric::MajorFaults, 2);
  const std::vector<FrameSpan> log{{0ms, 2ms}};
  const JoinedFrames joined = joinFrames(log, recorded, {});
  REQUIRE(joined.frames.size() == 1);
  CHECK(joined.frames[0].values.minorFaults() == 9);
  CHECK_FALSE(joined.frames[0].values.majorFaults());
}

TEST_CASE("Overlapping recorded frames are omitted; a microsecond is not a gap") {
  const std::vector<GameFrame> recorded{slot(0ms, 1ms, 5), slot(500us, 1ms, 70), slot(1ms + 1us, 1ms, 6)};
  const std::vector<FrameSpan> log{{0ms, 2ms + 1us}};
  const JoinedFrames joined = joinFrames(log, recorded, {});
  REQUIRE(joined.frames.size() == 1);
  CHECK(joined.frames[0].values.minorFaults() == 11);
  const std::vector<GameFrame> apart{slot(0ms, 1ms, 5), slot(1ms + 2us, 1ms, 6)};
  CHECK(joinFrames(log, apart, {.offset = {}, .tolerance = 1us}).outside == 1);
}

TEST_CASE("Invalid recorded frames are harmless") {
  const std::vector<FrameSpan> log{{0ms, 1ms}, {500us, 0ms}};
  CHECK(joinFrames(log, {}, {}).outside == 2);
  std::vector<GameFrame> recorded{slot(0ms, 0ms, 5), slot(0ms, 2ms, UINT64_MAX), slot(1ms, 2ms, 8),
                                  slot(Nanoseconds::max() - 1ms, 1ms, 1), slot(2ms, 1ms, UINT64_MAX)};
  CHECK(joinFrames(log, recorded, {}).frames.size() + joinFrames(log, recorded, {}).outside == 2);
  CHECK_FALSE(alignFrames(log, recorded));
  CHECK_FALSE(alignFrames({}, {}));
  CHECK(fitAt({}, {}, 1s).compared == 0);
}

TEST_CASE("A log is aligned by durations alone, and then has the recorded counts") {
  auto recorded = unevenGame(3000, 1);
  for (GameFrame& frame : recorded) frame.values.set(FrameMetric::MinorFaults, frame.number % 50 == 0 ? 8192 : 16);
  const auto log = asLogged(std::span(recorded).subspan(1234, 600), 999s);
  const auto found = alignFrames(log, recorded);
  INFO((found ? "" : found.error().message));
  REQUIRE(found);
  CHECK(std::chrono::abs(found->offset - 999s) < 20us);
  CHECK(found->explained > 0.7);
  CHECK(found->runnerUp < found->explained - 0.25);
  CHECK(found->compared == 600);
  CHECK(found->matched == 600);
  CHECK(fitAt(log, recorded, found->offset).explained == found->explained);
  CHECK(fitAt(log, recorded, found->offset + 40ms).explained < 0.3);
  const JoinedFrames joined = joinFrames(log, recorded, {.offset = found->offset, .tolerance = 100us});
  REQUIRE(joined.frames.size() == 600);
  CHECK(joined.divided == 0);
  CHECK(sum(joined) == 12 * 8192 + 588 * 16);
  for (const GameFrame& frame : joined.frames)
    REQUIRE(frame.values.minorFaults() == ((frame.number - 1 + 1234) % 50 == 0 ? 8192 : 16));
}

TEST_CASE("A log that is longer than the recording is aligned") {
  const auto recorded = unevenGame(3000, 1);
  const auto log = asLogged(recorded, 1s);
  const auto found = alignFrames(log, std::span(recorded).subspan(700, 900));
  REQUIRE(found);
  CHECK(std::chrono::abs(found->offset - 1s) < 20us);
  CHECK(found->compared >= 900);
  CHECK(found->compared <= 902);
}

TEST_CASE("A sampled log is aligned") {
  const auto recorded = unevenGame(3000, 1);
  auto log = asLogged(recorded, 1s);
  std::erase_if(log, [index = 0](const FrameSpan&) mutable { return index++ % 7 != 0; });
  const auto found = alignFrames(log, recorded);
  REQUIRE(found);
  CHECK(std::chrono::abs(found->offset - 1s) < 20us);
}

TEST_CASE("Frames of a hundred years cause no overflow") {
  std::vector<FrameSpan> log;
  std::vector<GameFrame> recorded;
  for (int i = 0; i < 64; ++i) {
    log.push_back({i * 1ms, i % 2 == 0 ? 1ms : kLatest - 1s});
    recorded.push_back(slot(log.back().start, log.back().duration, 1));
  }
  std::ranges::sort(log, {}, &FrameSpan::end);
  const FrameAlignment found = fitAt(log, recorded, 0ns);
  CHECK(found.compared > 0);
  CHECK(found.explained <= 1);
  CHECK(found.explained > 0.9);
}

TEST_CASE("Another game's log, an even pace and few frames are refused") {
  const auto recorded = unevenGame(3000, 1);
  CHECK_FALSE(alignFrames(asLogged(unevenGame(3000, 2), 1s), recorded));
  CHECK_FALSE(alignFrames(asLogged(std::span(recorded).first(20), 1s), recorded));
  std::vector<GameFrame> even;
  even.reserve(600);
  for (int i = 0; i < 600; ++i) even.push_back(slot(i * 4ms, 4ms, 16));
  CHECK_FALSE(alignFrames(asLogged(even, 1s), even));
}

}  // namespace faultline::test
