#include "core/frames/history.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// Frames of about a millisecond, with and without each optional value, and occasional gaps.
std::vector<JudgedFrame> someFrames(std::size_t count, unsigned seed = 1) {
  std::mt19937_64 random(seed);
  const auto below = [&](std::uint64_t most) { return random() % most; };
  std::vector<JudgedFrame> frames;
  MonotonicTime time{5s};
  for (std::size_t i = 0; i < count; ++i) {
    JudgedFrame j;
    j.frame.number = i + 7;
    j.frame.start = time;
    j.frame.duration = Nanoseconds(500'000 + below(1'000'000));
    j.frame.thread = below(20) == 0 ? 4712 : 4711;
    j.frame.values.set(FrameMetric::MinorFaults, below(50) == 0 ? 8192 + below(100) : below(20));
    if (below(2) == 0) j.frame.values.set(FrameMetric::ThreadMinorFaults, j.frame.values.minorFaults() / 2);
    if (below(2) == 0) j.frame.values.set(FrameMetric::ThreadMajorFaults, below(3));
    if (below(8) == 0) j.frame.values.clear(FrameMetric::MajorFaults);
    if (below(3) == 0) j.frame.values.set(FrameMetric::ZeroedBytes, 4096 * below(9000));
    if (below(2) == 0) j.frame.values.set(FrameMetric::FaultTime, Nanoseconds(below(900'000)));
    if (below(4) == 0) j.frame.values.set(FrameMetric::ThreadZeroedBytes, 4096);
    if (below(4) == 0) j.frame.values.set(FrameMetric::ThreadFaultTime, Nanoseconds(below(1000)));
    if (below(4) == 0) j.frame.values.set(FrameMetric::TimedFaults, below(300));
    j.verdict.faultTime = j.frame.values.time(FrameMetric::FaultTime);
    if (!j.verdict.faultTime && below(2) == 0) {
      j.verdict.faultTime = Nanoseconds(below(900'000));
      j.verdict.estimated = true;
    }
    j.verdict.costly = below(40) == 0;
    j.verdict.late = below(30) == 0;
    if (j.verdict.late) j.verdict.excess = Nanoseconds(below(1'000'000));
    if (j.verdict.late && j.verdict.faultTime) j.verdict.explained = static_cast<double>(below(100)) / 100;
    if (j.verdict.explained) j.verdict.withWaits = static_cast<double>(below(100)) / 100;
    j.verdict.lateByFaults = j.verdict.late && below(2) == 0;
    j.verdict.lateByTeardown = j.verdict.late && !j.verdict.lateByFaults && below(2) == 0;
    j.verdict.likely = j.verdict.lateByMemory() && below(2) == 0;
    j.verdict.perhapsByTeardown = j.verdict.late && !j.verdict.lateByMemory() && below(2) == 0;
    j.verdict.perhapsByFaults = j.verdict.late && !j.verdict.lateByMemory() && below(2) == 0;
    if (below(4) > 0) j.verdict.deadline = {Nanoseconds(16'700'000 + below(2)), static_cast<DeadlineBy>(below(4))};
    const auto some = [&] { return Nanoseconds(below(900'000)); };
    if (below(2) == 0) j.frame.values.setThreadTime(ThreadTime{{some(), some(), some()}, some(), some()});
    if (below(2) == 0) j.frame.values.set(FrameMetric::TeardownTime, some());
    if (below(2) == 0) j.frame.values.set(FrameMetric::ThreadTeardownTime, some());
    if (below(2) == 0)
      j.frame.values.setDelay(FrameDelay{.added = some(), .pair = below(100), .delayed = below(2) == 0});
    for (const FrameMetric own : {FrameMetric::ThreadDelay, FrameMetric::ThreadFutexTime})
      if (j.frame.delay() && below(2) == 0) j.frame.values.set(own, some());
    frames.push_back(j);
    time = time + j.frame.duration + (below(100) == 0 ? Nanoseconds(20ms) : Nanoseconds(0));
  }
  return frames;
}

FrameHistory historyOf(const std::vector<JudgedFrame>& frames, std::size_t budget = FrameHistory::kDefaultBytes) {
  FrameHistory history(budget);
  for (const JudgedFrame& judged : frames) REQUIRE(history.add(judged));
  return history;
}

bool same(const JudgedFrame& a, const JudgedFrame& b) {
  return a.frame == b.frame && a.verdict == b.verdict;
}

}  // namespace

TEST_CASE("A frame is kept without loss, whatever its values") {
  const auto frames = someFrames(500);
  FrameHistory history = historyOf(frames);
  JudgedFrame odd;
  odd.frame.number = UINT64_MAX;
  odd.frame.start = {Nanoseconds::max()};
  odd.frame.duration = Nanoseconds::max();
  odd.frame.thread = UINT32_MAX;
  odd.frame.values.set(FrameMetric::MinorFaults, UINT64_MAX);
  odd.frame.values.set(FrameMetric::ZeroedBytes, UINT64_MAX);
  odd.frame.values.set(FrameMetric::FaultTime, 0ns);
  odd.verdict.excess = -1ns;
  odd.verdict.explained = 1.0 / 3;
  REQUIRE(history.add(odd));
  for (std::size_t i = 0; i < frames.size(); ++i) REQUIRE(same(history.at(i), frames[i]));
  CHECK(same(history.at(frames.size()), odd));
}

TEST_CASE("Frames are found by place and by time") {
  const auto frames = someFrames(1000);
  const FrameHistory history = historyOf(frames);
  CHECK(history.begin() == 0);
  CHECK(history.end() == 1000);
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const GameFrame& frame = frames[i].frame;
    REQUIRE(same(history.at(i), frames[i]));
    REQUIRE(history.placeAt(frame.start) == i);
    REQUIRE(history.placeAt(frame.start + frame.duration - 1ns) == i);
    REQUIRE(history.placeAt(frame.start + frame.duration) == i + 1);
  }
  CHECK(history.placeAt({0s}) == 0);
  std::uint64_t next = 100;
  history.visit(100, 200, [&](std::uint64_t place, const JudgedFrame& judged) {
    CHECK(place == next++);
    CHECK(same(judged, frames[place]));
  });
  CHECK(next == 200);
}

TEST_CASE("The summary of a stretch equals that of all its frames") {
  const auto frames = someFrames(5000);
  const FrameHistory history = historyOf(frames);
  std::mt19937 random(2);
  for (int i = 0; i < 500; ++i) {
    const std::uint64_t from = random() % 5000;
    const std::uint64_t to = std::min<std::uint64_t>(from + 1 + random() % (i % 2 == 0 ? 40 : 5000), 5000);
    const auto found = history.stretch(from, to);
    REQUIRE(found);
    Nanoseconds longest{0};
    std::uint64_t most = 0;
    bool anyFlagged = false;
    bool anyLate = false;
    double weight = 0;
    for (std::uint64_t p = from; p < to; ++p) {
      longest = std::max(longest, frames[p].frame.duration);
      most = std::max(most, frames[p].frame.faults());
      anyFlagged = anyFlagged || frames[p].marked();
      anyLate = anyLate || frames[p].verdict.lateByMemory();
    }
    for (std::uint64_t p = from; p < to; ++p)
      if (frames[p].verdict.lateByMemory() == anyLate && (frames[p].marked() || anyLate))
        weight = std::max(weight, faultWeight(frames[p]));
    REQUIRE(found->duration == longest);
    REQUIRE(frames[found->longest].frame.duration == longest);
    const FrameVerdict& verdict = frames[found->longest].verdict;
    REQUIRE(found->memory == (verdict.pathTime ? verdict.pathTime : verdict.faultTime));
    REQUIRE(found->mostFaults == most);
    REQUIRE(found->flagged.has_value() == anyFlagged);
    if (!anyFlagged) continue;
    REQUIRE(found->flaggedLate == anyLate);
    REQUIRE(faultWeight(frames[*found->flagged]) == weight);
  }
  CHECK_FALSE(history.stretch(10, 10));
  CHECK_FALSE(history.stretch(5000, 6000));
}

TEST_CASE("The oldest frames are dropped, and places do not change") {
  const auto frames = someFrames(40'000);
  const FrameHistory history = historyOf(frames, 400'000);
  CHECK(history.bytes() <= 400'000);
  CHECK(history.begin() > 20'000);
  CHECK(history.end() == 40'000);
  CHECK(same(history.at(history.begin()), frames[history.begin()]));
  CHECK(history.oldest() == frames[history.begin()].frame.start);
  CHECK(history.placeAt({0s}) == history.begin());
  Nanoseconds longest{0};
  for (std::uint64_t p = history.begin(); p < 40'000; ++p) longest = std::max(longest, frames[p].frame.duration);
  CHECK(history.stretch(0, 50'000)->duration == longest);
}

TEST_CASE("A history rebuilt from another keeps its places") {
  const auto frames = someFrames(20'000);
  const FrameHistory before = historyOf(frames, 200'000);
  REQUIRE(before.begin() > 0);
  FrameHistory after;
  after.beginAt(before.begin());
  before.visit(0, before.end(), [&](std::uint64_t, const JudgedFrame& judged) { REQUIRE(after.add(judged)); });
  CHECK(after.begin() == before.begin());
  CHECK(after.end() == before.end());
  for (std::uint64_t from = before.begin(); from + 1000 < before.end(); from += 777)
    REQUIRE(after.stretch(from, from + 1000)->longest == before.stretch(from, from + 1000)->longest);
}

TEST_CASE("Ten minutes at 1000 frames per second fit into the default budget") {
  FrameHistory history;
  const auto frames = someFrames(1000);
  for (int second = 0; second < 600; ++second) {
    for (JudgedFrame judged : frames) {
      judged.frame.number += static_cast<std::uint64_t>(second) * 1000;
      judged.frame.start = judged.frame.start + second * Nanoseconds(2s);
      REQUIRE(history.add(judged));
    }
  }
  CHECK(history.begin() == 0);
  CHECK(history.end() == 600'000);
}

TEST_CASE("A frame that begins before its predecessor's end is refused") {
  FrameHistory history;
  JudgedFrame judged;
  judged.frame.start = {1s};
  judged.frame.duration = 10ms;
  CHECK(history.add(judged));
  CHECK_FALSE(history.add(judged));
  judged.frame.start = judged.frame.start + judged.frame.duration;
  CHECK(history.add(judged));
  CHECK(history.newest() == MonotonicTime{1020ms});
}

}  // namespace faultline::test
