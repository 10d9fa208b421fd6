#include "core/culprits/fault_joiner.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <random>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint32_t kPresents = 10;
constexpr std::uint32_t kWorks = 11;

MonotonicTime at(Nanoseconds time) {
  return {1h + time};
}

FunctionCall call(Nanoseconds time, std::size_t candidate = 0, std::uint32_t thread = kPresents) {
  return {.time = at(time), .thread = thread, .candidate = candidate};
}
FaultNote fault(Nanoseconds time, std::uint32_t thread = kPresents, bool major = false) {
  return {.time = at(time), .thread = thread, .major = major};
}

GameFrameBatch finish(FaultJoiner& joiner, Nanoseconds until) {
  GameFrameBatch batch;
  joiner.finish(at(until), at(until), batch);
  return batch;
}

}  // namespace

TEST_CASE("A fault belongs to the frame that contains its time, whenever it arrives") {
  FaultJoiner joiner(1);
  joiner.add(fault(25ms));
  joiner.add(call(30ms));
  joiner.add(fault(15ms, kWorks));
  joiner.add(call(10ms));
  joiner.add(fault(20ms));  // at the time of the mark: before it
  joiner.add(fault(21ms, kPresents, true));
  joiner.add(call(20ms));
  const GameFrameBatch batch = finish(joiner, 30ms);
  REQUIRE(batch.frames.size() == 2);
  CHECK(batch.frames[0].start == at(10ms));
  CHECK(batch.frames[0].duration == 10ms);
  CHECK(batch.frames[0].thread == kPresents);
  CHECK(batch.frames[0].values.minorFaults() == 2);
  CHECK(batch.frames[0].values.get(FrameMetric::ThreadMinorFaults) == 1U);
  CHECK(batch.frames[1].values.minorFaults() == 1);
  CHECK(batch.frames[1].values.majorFaults() == 1);
  CHECK(batch.frames[1].values.get(FrameMetric::ThreadMajorFaults) == 1U);
  CHECK(batch.lost + batch.invalidMarks + joiner.misplaced() == 0);
}

TEST_CASE("Faults after the finished time wait, and faults before their mark are kept") {
  FaultJoiner joiner(1);
  joiner.add(call(10ms));
  joiner.add(fault(12ms));
  joiner.add(fault(22ms));
  joiner.add(call(25ms));
  CHECK(finish(joiner, 15ms).frames.empty());
  joiner.add(fault(18ms, kWorks));
  CHECK(finish(joiner, 24ms).frames.empty());
  joiner.add(fault(25ms));
  const GameFrameBatch batch = finish(joiner, 30ms);
  REQUIRE(batch.frames.size() == 1);
  CHECK(batch.frames[0].values.minorFaults() == 4);
  CHECK(batch.frames[0].values.get(FrameMetric::ThreadMinorFaults) == 3U);
  CHECK(joiner.misplaced() == 0);
}

TEST_CASE("Faults after the last mark are told") {
  FaultJoiner joiner(1);
  joiner.add(fault(5ms));
  static_cast<void>(finish(joiner, 8ms));
  CHECK_FALSE(joiner.faultsAfter());
  joiner.add(call(10ms));
  joiner.add(fault(15ms));
  joiner.add(call(20ms));
  for (const Nanoseconds time : {21ms, 22ms, 40ms}) joiner.add(fault(time));
  static_cast<void>(finish(joiner, 30ms));
  CHECK(joiner.faultsAfter() == 2U);
}

TEST_CASE("A fault that arrives too late is counted in the next frame and as misplaced") {
  FaultJoiner joiner(1);
  joiner.add(call(10ms));
  joiner.add(call(20ms));
  CHECK(finish(joiner, 20ms).frames.size() == 1);
  joiner.add(fault(15ms));
  joiner.add(call(30ms));
  CHECK(finish(joiner, 30ms).frames.at(0).minorFaults() == 1);
  CHECK(joiner.misplaced() == 1);
}

TEST_CASE("Lost faults are counted near their time, for no thread") {
  FaultJoiner joiner(1);
  joiner.add(call(10ms));
  joiner.add(fault(14ms));
  joiner.addLostFaults(at(15ms), 5000);
  joiner.add(call(20ms));
  const GameFrameBatch batch = finish(joiner, 20ms);
  REQUIRE(batch.frames.size() == 1);
  CHECK(batch.frames[0].values.minorFaults() == 5001);
  CHECK(batch.frames[0].values.get(FrameMetric::ThreadMinorFaults) == 1U);
  CHECK(joiner.misplaced() == 5000);
  CHECK(batch.lost == 0);
}

TEST_CASE("A fault at the time of a mark is before it, whatever arrived in between") {
  FaultJoiner joiner(1);
  for (const Nanoseconds time : {10ms, 20ms, 30ms}) joiner.add(call(time));
  joiner.add(fault(25ms));
  joiner.add(fault(20ms));  // arrives later, happened earlier
  const GameFrameBatch batch = finish(joiner, 30ms);
  REQUIRE(batch.frames.size() == 2);
  CHECK(batch.frames[0].values.minorFaults() == 1);
  CHECK(batch.frames[1].values.minorFaults() == 1);
}

TEST_CASE("Lost faults in a finished time are counted as misplaced once") {
  FaultJoiner joiner(1);
  joiner.add(call(10ms));
  static_cast<void>(finish(joiner, 20ms));
  joiner.addLostFaults(at(15ms), 3);
  static_cast<void>(finish(joiner, 30ms));
  CHECK(joiner.misplaced() == 3);
}

TEST_CASE("A thread's faults are not counted again at the second next mark") {
  FaultJoiner joiner(1);
  for (int i = 1; i <= 5; ++i) {
    joiner.add(call(i * 10ms));
    joiner.add(fault(i * 10ms + 1ms));
    const GameFrameBatch batch = finish(joiner, i * 10ms + 5ms);
    for (const GameFrame& frame : batch.frames) {
      CHECK(frame.values.minorFaults() == 1);
      CHECK(frame.values.get(FrameMetric::ThreadMinorFaults) == 1U);
    }
    CHECK(batch.frames.size() == (i > 1 ? 1 : 0));
  }
}

TEST_CASE("Lost calls are lost frames") {
  FaultJoiner joiner(1);
  joiner.add(call(10ms));
  joiner.addLostCalls(at(15ms), 3);
  joiner.add(call(50ms));
  joiner.add(call(60ms));
  const GameFrameBatch batch = finish(joiner, 60ms);
  REQUIRE(batch.frames.size() == 1);
  CHECK(batch.frames[0].start == at(50ms));
  CHECK(batch.lost == 4);
}

TEST_CASE("Calls lost after a call are counted after it") {
  FaultJoiner joiner(1);
  joiner.add(call(10ms));
  joiner.add(call(20ms));
  joiner.addLostCalls(at(20ms), 2);
  joiner.add(call(50ms));
  const GameFrameBatch batch = finish(joiner, 60ms);
  REQUIRE(batch.frames.size() == 1);
  CHECK(batch.frames[0].start == at(10ms));
  CHECK(batch.lost == 3);
}

TEST_CASE(
    "A game that marks nothing for long, with ever new threads, keeps its total, and forgets whose faults it was") {
  FaultJoiner joiner(1);
  joiner.add(call(10ms));
  CHECK(finish(joiner, 10ms).frames.empty());
  for (std::uint32_t thread = 1; thread <= 10'000; ++thread) joiner.add(fault(11ms, 100 + thread));
  CHECK(finish(joiner, 15ms).frames.empty());
  joiner.add(call(20ms));
  joiner.add(fault(25ms));
  joiner.add(call(30ms));
  const GameFrameBatch batch = finish(joiner, 30ms);
  REQUIRE(batch.frames.size() == 2);
  CHECK(batch.frames[0].values.minorFaults() == 10'000);
  CHECK_FALSE(batch.frames[0].values.get(FrameMetric::ThreadMinorFaults));
  CHECK(batch.frames[1].values.get(FrameMetric::ThreadMinorFaults) == 1U);
}

TEST_CASE("No frame spans calls of two functions") {
  FaultJoiner joiner(2);
  for (int i = 0; i < 10; ++i) joiner.add(call(i * 10ms, 1));
  CHECK(finish(joiner, 95ms).frames.size() == 9);
  CHECK(joiner.chosen() == 1U);
  for (int i = 10; i < 20; ++i) {
    joiner.add(call(i * 10ms, 0));
    joiner.add(call(i * 10ms + 1us, 1));
  }
  const GameFrameBatch batch = finish(joiner, 1s);
  CHECK(joiner.chosen() == 0U);
  REQUIRE(batch.frames.size() == 9);
  CHECK(batch.frames[0].start == at(100ms));
  CHECK(batch.lost == 0);
}

TEST_CASE("If two threads present alternately, their own faults are unknown") {
  FaultJoiner joiner(1);
  joiner.add(call(10ms, 0, 1));
  joiner.add(fault(15ms, 2));
  joiner.add(call(20ms, 0, 2));
  joiner.add(fault(25ms, 2));
  joiner.add(call(30ms, 0, 2));
  const GameFrameBatch batch = finish(joiner, 30ms);
  REQUIRE(batch.frames.size() == 2);
  CHECK_FALSE(batch.frames[0].values.get(FrameMetric::ThreadMinorFaults));
  CHECK(batch.frames[1].values.get(FrameMetric::ThreadMinorFaults) == 1U);
}

TEST_CASE("For any order and split of the notes, every fault is counted exactly once") {
  std::mt19937 random(3);
  for (int round = 0; round < 50; ++round) {
    FaultJoiner joiner(1);
    std::vector<FaultNote> faults;
    faults.reserve(2000);
    for (std::uint32_t i = 0; i < 2000; ++i) faults.push_back(fault(i * 500us + 500us, 10 + i % 3));
    std::ranges::shuffle(faults, random);
    std::uint64_t told = 0;
    GameFrameBatch batch;
    for (int until = 0; until <= 1100; until += 1 + static_cast<int>(random() % 40)) {
      for (auto i = faults.begin(); i != faults.end();) {
        const bool due = i->time <= at(until * 1ms) || random() % 50 == 0;
        if (due) joiner.add(*i);
        i = due ? faults.erase(i) : i + 1;
      }
      for (; told * 7ms <= until * 1ms; ++told) joiner.add(call(told * 7ms));
      joiner.finish(at(until * 1ms), at(until * 1ms), batch);
    }
    std::uint64_t sum = 0;
    for (const GameFrame& frame : batch.frames) sum += frame.faults();
    CHECK(sum == 2000);
    CHECK(batch.frames.size() + 1 == told);
    CHECK(batch.lost + batch.invalidMarks + joiner.misplaced() == 0);
  }
}

}  // namespace faultline::test
