#include "core/marks/joiner.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr MonotonicTime kNow{1h};

FrameMark mark(std::uint64_t number, std::uint64_t faults, std::uint32_t thread = 1) {
  FrameMark mark;
  mark.number = number;
  mark.time = {1s + static_cast<std::int64_t>(number) * 4ms};
  mark.thread = thread;
  mark.values.set(FrameMetric::MinorFaults, faults);
  mark.values.set(FrameMetric::ThreadMinorFaults, faults / 2);
  return mark;
}

}  // namespace

TEST_CASE("Two consecutive marks make a frame") {
  MarkJoiner joiner;
  CHECK_FALSE(joiner.add(mark(7, 100), kNow));
  const auto frame = joiner.add(mark(8, 116), kNow);
  REQUIRE(frame);
  CHECK(frame->number == 8);
  CHECK(frame->start == mark(7, 0).time);
  CHECK(frame->duration == 4ms);
  CHECK(frame->values.minorFaults() == 16);
  CHECK(frame->values.get(FrameMetric::ThreadMinorFaults) == 8U);
  CHECK(joiner.lost() + joiner.invalidMarks() == 0);
}

TEST_CASE("A thread's own faults are known only if it set both marks") {
  MarkJoiner joiner;
  static_cast<void>(joiner.add(mark(1, 100, 1), kNow));
  const auto frame = joiner.add(mark(2, 116, 2), kNow);
  REQUIRE(frame);
  CHECK(frame->values.minorFaults() == 16);
  CHECK(frame->thread == 2);
  CHECK_FALSE(frame->values.get(FrameMetric::ThreadMinorFaults));
}

TEST_CASE("A fault inside a mark is the thread's in the frame in which it is the process's") {
  const auto counted = [](std::uint64_t number, std::uint64_t all, std::uint64_t own) {
    FrameMark result = mark(number, all);
    result.values.set(FrameMetric::ThreadMinorFaults, own);
    return result;
  };
  MarkJoiner joiner;
  static_cast<void>(joiner.add(counted(1, 100, 100), kNow));
  const auto forked = joiner.add(counted(2, 4206, 4207), kNow);  // between the two readings
  REQUIRE(forked);
  CHECK(forked->values.get(FrameMetric::ThreadMinorFaults) == 4106U);
  const auto next = joiner.add(counted(3, 4307, 4307), kNow);
  REQUIRE(next);
  CHECK(next->values.minorFaults() == 101);
  CHECK(next->values.get(FrameMetric::ThreadMinorFaults) == 101U);
  const auto impossible = joiner.add(counted(4, 4308, 4408), kNow);
  REQUIRE(impossible);
  CHECK_FALSE(impossible->values.get(FrameMetric::ThreadMinorFaults));
}

TEST_CASE("The number of timed faults is known if not all faults of a frame were timed") {
  const auto timed = [](std::uint64_t number, std::uint64_t faults, std::uint64_t ofThem) {
    FrameMark result = mark(number, faults);
    result.values.set(FrameMetric::FaultTime, ofThem * 1us);
    result.values.set(FrameMetric::TimedFaults, ofThem);
    return result;
  };
  MarkJoiner joiner;
  static_cast<void>(joiner.add(timed(1, 100, 100), kNow));
  const auto all = joiner.add(timed(2, 116, 116), kNow);
  REQUIRE(all);
  CHECK_FALSE(all->values.get(FrameMetric::TimedFaults));
  const auto some = joiner.add(timed(3, 20'182, 181), kNow);
  REQUIRE(some);
  CHECK(some->faults() == 20'066);
  CHECK(some->values.get(FrameMetric::TimedFaults) == 65U);
}

TEST_CASE("A frame has the delay that was added between its marks, and the stretch of the mark at its end") {
  const auto delayed = [](std::uint64_t number, Nanoseconds added, std::uint64_t pair, std::uint32_t thread = 1) {
    FrameMark result = mark(number, 16 * number, thread);
    result.values.setDelay(FrameDelay{
        .added = added, .ownAdded = added / 2, .ownAwaited = added * 3, .pair = pair, .delayed = pair % 2 == 1});
    return result;
  };
  MarkJoiner joiner;
  static_cast<void>(joiner.add(delayed(1, 0us, 0), kNow));
  const auto before = joiner.add(delayed(2, 0us, 0), kNow);
  REQUIRE(before);
  CHECK_FALSE(before->values.delay());
  const auto frame = joiner.add(delayed(3, 80us, 1), kNow);
  REQUIRE(frame);
  CHECK(frame->values.delay() ==
        FrameDelay{.added = 80us, .ownAdded = 40us, .ownAwaited = 240us, .pair = 1, .delayed = true});
  const auto other = joiner.add(delayed(4, 90us, 2, 9), kNow);
  REQUIRE(other);
  CHECK(other->delay() == FrameDelay{.added = 10us, .pair = 2});
  const auto unknown = joiner.add(mark(5, 80, 9), kNow);
  REQUIRE(unknown);
  CHECK_FALSE(unknown->delay());
}

TEST_CASE("Zeroed bytes and time in faults need values at both marks") {
  const auto measured = [](std::uint64_t number, std::uint64_t pages) {
    FrameMark result = mark(number, 16 * number);
    result.values.set(FrameMetric::ZeroedBytes, 4096 * pages);
    result.values.set(FrameMetric::FaultTime, pages * 1us);
    result.values.set(FrameMetric::ThreadZeroedBytes, 1024 * pages);
    result.values.set(FrameMetric::ThreadFaultTime, pages * 250ns);
    return result;
  };
  MarkJoiner joiner;
  static_cast<void>(joiner.add(measured(1, 100), kNow));
  const auto frame = joiner.add(measured(2, 116), kNow);
  REQUIRE(frame);
  CHECK(frame->values.get(FrameMetric::ZeroedBytes) == 16U * 4096);
  CHECK(frame->values.time(FrameMetric::FaultTime) == 16us);
  CHECK(frame->values.get(FrameMetric::ThreadZeroedBytes) == 4U * 4096);
  CHECK(frame->values.time(FrameMetric::ThreadFaultTime) == 4us);
  CHECK_FALSE(frame->values.get(FrameMetric::TimedFaults));  // no mark reports untimed faults
  for (const FrameMark& after : {mark(3, 64), measured(4, 200), measured(5, 199)}) {
    const auto unknown = joiner.add(after, kNow);
    REQUIRE(unknown);
    CHECK_FALSE(unknown->get(FrameMetric::ZeroedBytes));
    CHECK_FALSE(unknown->get(FrameMetric::ThreadZeroedBytes));
    CHECK_FALSE(unknown->get(FrameMetric::FaultTime));
    CHECK_FALSE(unknown->get(FrameMetric::ThreadFaultTime));
  }
}

TEST_CASE("The time of a thread needs growing values at two marks of the same thread") {
  const auto spent = [](std::uint64_t number, Nanoseconds each) {
    FrameMark result = mark(number, 16 * number);
    result.values.setThreadTime(ThreadTime{{each, each, each}, 2 * each, 3 * each});
    return result;
  };
  MarkJoiner joiner;
  static_cast<void>(joiner.add(spent(1, 5ns), kNow));
  CHECK(joiner.add(spent(2, 7ns), kNow)->threadTime() == ThreadTime{{2ns, 2ns, 2ns}, 4ns, 6ns});
  CHECK_FALSE(joiner.add(spent(3, 6ns), kNow)->threadTime());
  CHECK_FALSE(joiner.add(mark(4, 64), kNow)->threadTime());
  CHECK_FALSE(joiner.add(spent(5, 9ns), kNow)->threadTime());
  FrameMark another = spent(6, 10ns);
  ++another.thread;
  CHECK_FALSE(joiner.add(another, kNow)->threadTime());
}

TEST_CASE("The parts of a thread's time are never more than the frame") {
  FrameMark first = mark(1, 16);
  first.values.setThreadTime(ThreadTime{});
  FrameMark second = mark(2, 32);
  const Nanoseconds lasted = second.time - first.time;
  second.values.setThreadTime(ThreadTime{{1us, 0us, 0us}, lasted, 5us});
  MarkJoiner joiner;
  static_cast<void>(joiner.add(first, kNow));
  CHECK(joiner.add(second, kNow)->threadTime() == ThreadTime{{1us, 0us, 0us}, lasted - 6us, 5us});
}

TEST_CASE("A thread that is stopped inside a mark has waited in the next frame, behind the program that ran then") {
  const auto read = [](std::uint64_t number, Nanoseconds waiting, Nanoseconds behind, Nanoseconds later) {
    FrameMark result = mark(number, 16 * number);
    result.values.setThreadTime(ThreadTime{{}, waiting, 1ms});
    if (behind > 0ns) result.values.setWaitedBehind({.program = "cc1plus", .time = behind});
    result.readLater = later;
    return result;
  };
  const auto waits = [](const std::optional<GameFrame>& frame) { return frame->threadTime()->waiting; };
  MarkJoiner joiner;
  static_cast<void>(joiner.add(read(1, 0ms, 0ms, 2us), kNow));
  const auto stopped = joiner.add(read(2, 5ms, 4ms, 3ms), kNow);  // waits of 2 ms before its end, and of 3 behind
  CHECK(waits(stopped) == 2ms);
  CHECK(stopped->values.waitedBehind()->time == 2ms);
  const auto next = joiner.add(read(3, 5ms, 0ms, 2us), kNow);
  CHECK(waits(next) == 3ms);
  CHECK(next->values.waitedBehind() == WaitedBehind{"cc1plus", 2ms});
  CHECK(waits(joiner.add(read(4, 6ms, 0ms, 40us), kNow)) == 1ms);  // ran, if slowly
  FrameMark asleep = read(5, 6ms, 0ms, 3ms);
  asleep.values.set(FrameMetric::ThreadSleeping, Nanoseconds(3ms));
  CHECK(joiner.add(asleep, kNow)->threadTime()->sleeping == 0ms);
  FrameMark awake = read(6, 6ms, 0ms, 2us);
  awake.values.set(FrameMetric::ThreadSleeping, Nanoseconds(3ms));
  CHECK(joiner.add(awake, kNow)->threadTime()->sleeping == 2ms);
  static_cast<void>(joiner.add(read(7, 11ms, 5ms, 5ms), kNow));
  joiner.restart();
  static_cast<void>(joiner.add(read(8, 11ms, 0ms, 2us), kNow));
  CHECK_FALSE(joiner.add(read(9, 11ms, 0ms, 2us), kNow)->values.waitedBehind());
}

TEST_CASE("A thread waited no longer behind a program than it waited for a processor") {
  const auto waited = [](std::uint64_t number, Nanoseconds waiting, Nanoseconds behind) {
    FrameMark result = mark(number, 16 * number);
    result.values.setThreadTime(ThreadTime{{1us, waiting, 0us}, 2 * waiting, 5us});
    result.values.setWaitedBehind({.program = "cc1plus", .time = behind});
    return result;
  };
  MarkJoiner joiner;
  static_cast<void>(joiner.add(waited(1, 10us, 1ms), kNow));
  CHECK(joiner.add(waited(2, 30us, 1ms), kNow)->values.waitedBehind()->time == 60us);
  CHECK(joiner.add(waited(3, 50us, 7us), kNow)->values.waitedBehind()->time == 7us);
  CHECK_FALSE(joiner.add(waited(4, 50us, 7us), kNow)->values.waitedBehind());
  CHECK_FALSE(joiner.add(waited(5, 40us, 7us), kNow)->values.waitedBehind());  // how long it waited is not known
}

TEST_CASE("The time of giving memory back is a part of the frame beside the thread's other times") {
  FrameMark first = mark(1, 16);
  first.values.set(FrameMetric::TeardownTime, 5us);
  first.values.set(FrameMetric::ThreadTeardownTime, 5us);
  first.values.setThreadTime(ThreadTime{});
  FrameMark second = mark(2, 32);
  const Nanoseconds lasted = second.time - first.time;
  second.values.set(FrameMetric::TeardownTime, 12us);
  second.values.set(FrameMetric::ThreadTeardownTime, 9us);
  second.values.setThreadTime(ThreadTime{{1us, 0us, 0us}, lasted, 0us});
  MarkJoiner joiner;
  static_cast<void>(joiner.add(first, kNow));
  const auto frame = joiner.add(second, kNow);
  CHECK(frame->values.time(FrameMetric::TeardownTime) == 7us);
  CHECK(frame->values.time(FrameMetric::ThreadTeardownTime) == 4us);
  CHECK(frame->values.threadTime() == ThreadTime{{1us, 0us, 0us}, lasted - 5us, 0us});
  FrameMark another = mark(3, 48);
  another.values.set(FrameMetric::TeardownTime, 20us);
  another.values.set(FrameMetric::ThreadTeardownTime, 10us);
  ++another.thread;
  const auto ofTwo = joiner.add(another, kNow);
  CHECK(ofTwo->time(FrameMetric::TeardownTime) == 8us);
  CHECK_FALSE(ofTwo->time(FrameMetric::ThreadTeardownTime));
  CHECK_FALSE(joiner.add(mark(4, 64), kNow)->time(FrameMetric::TeardownTime));
}

TEST_CASE("After a restart the second mark ends the first frame, and none is lost") {
  MarkJoiner joiner;
  static_cast<void>(joiner.add(mark(8, 100), kNow));
  joiner.restart();
  CHECK_FALSE(joiner.add(mark(3, 120), kNow));
  CHECK(joiner.add(mark(4, 136), kNow));
  CHECK(joiner.lost() + joiner.invalidMarks() == 0);
}

TEST_CASE("Missing marks lose one frame each, and the frame that the last one began") {
  MarkJoiner joiner;
  static_cast<void>(joiner.add(mark(1, 0), kNow));
  CHECK_FALSE(joiner.add(mark(5, 64), kNow));  // loses 2, 3, 4 and 5
  CHECK(joiner.lost() == 4);
  CHECK(joiner.add(mark(6, 80), kNow));
  CHECK(joiner.lost() == 4);
}

TEST_CASE("Faults that a game counts together are not told apart in its frames") {
  MarkJoiner joiner;
  FrameMark first = mark(1, 10);
  FrameMark second = mark(2, 14);
  first.values.clear(FrameMetric::MajorFaults);
  second.values.clear(FrameMetric::MajorFaults);
  static_cast<void>(joiner.add(first, kNow));
  const auto frame = joiner.add(second, kNow);
  REQUIRE(frame);
  CHECK(frame->faults() == frame->values.minorFaults());
  CHECK_FALSE(frame->values.majorFaults());
  CHECK_FALSE(frame->values.get(FrameMetric::ThreadMajorFaults));
}

TEST_CASE("Invalid marks end no frame and are counted") {
  FrameMark early = mark(2, 10);
  early.time = {1s};
  FrameMark future = mark(2, 10);
  future.time = kNow + 1ns;
  FrameMark before = mark(2, 10);
  before.time = {-1ns};
  FrameMark first = mark(1, 10);
  first.values.set(FrameMetric::MajorFaults, 1);
  for (FrameMark wrong : {mark(1, 10), mark(2, 9), early, future, before, mark(2, 10) /* fewer major ones */}) {
    MarkJoiner joiner;
    static_cast<void>(joiner.add(first, kNow));
    CHECK_FALSE(joiner.add(wrong, kNow));
    CHECK(joiner.invalidMarks() == 1);
    CHECK_FALSE(joiner.add(mark(3, 20), kNow));
    CHECK(joiner.lost() == 0);
    CHECK(joiner.add(mark(4, 20), kNow));
  }
}

TEST_CASE("For any input, a frame is no longer than the time so far, and a part no more than the whole") {
  std::mt19937_64 random(1);
  MarkJoiner joiner;
  FrameMark wild;
  for (int i = 0; i < 200'000; ++i) {
    const auto number = [&] { return random() % 3 == 0 ? random() : random() % 8; };
    wild = {.number = random() % 2 == 0 ? wild.number + 1 : number(),
            .time = {Nanoseconds(static_cast<std::int64_t>(number()))},
            .thread = static_cast<std::uint32_t>(random() % 2),
            .readLater = 100us * (random() % 2)};
    // Of time at most 7 ns, so that it often grows.
    for (const FrameField& row : kFrameFields)
      wild.values.set(row.metric, row.unit == Unit::Duration ? random() % 8 : number());
    const auto frame = joiner.add(wild, kNow);
    if (!frame) continue;
    REQUIRE((frame->duration >= 0ns && frame->duration <= kNow.sinceEpoch));
    for (const FrameField& row : kFrameFields)
      if (row.whole && frame->values.has(row.metric))
        REQUIRE(frame->get(row.metric).value_or(0) <= frame->get(*row.whole).value_or(0));
  }
}

}  // namespace faultline::test
