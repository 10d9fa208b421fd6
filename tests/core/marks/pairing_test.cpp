#include "core/marks/pairing.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {
namespace {

FrameMark note(std::uint64_t number) {
  FrameMark mark;
  mark.number = number;
  mark.values.set(FrameMetric::MinorFaults, 16 * number);
  return mark;
}

FrameMark measurement(std::uint64_t number) {
  FrameMark mark;
  mark.number = number;
  mark.values.set(FrameMetric::ZeroedBytes, 4096 * number);
  return mark;
}

}  // namespace

TEST_CASE("A note is paired with the measurement of its number") {
  MarkPairing pairing;
  pairing.noted(note(1));
  pairing.noted(note(2));
  pairing.measured(measurement(1));
  pairing.measured(measurement(2));
  for (const std::uint64_t number : {1U, 2U}) {
    const auto mark = pairing.next(false);
    REQUIRE(mark);
    CHECK(mark->number == number);
    CHECK(mark->values.minorFaults() == 16 * number);
    CHECK(mark->values.get(FrameMetric::ZeroedBytes) == 4096 * number);
  }
  CHECK_FALSE(pairing.next(true));
}

TEST_CASE("A pair tells how much later than its note it was measured") {
  MarkPairing pairing;
  for (const std::uint64_t number : {1U, 2U}) {
    FrameMark noted = note(number), measured = measurement(number);
    noted.time = {std::chrono::microseconds(10)};
    measured.time = {std::chrono::microseconds(number == 1 ? 12 : 9)};  // another clock
    pairing.noted(noted);
    pairing.measured(measured);
  }
  CHECK(pairing.next(false)->readLater == std::chrono::microseconds(2));
  CHECK(pairing.next(false)->readLater == Nanoseconds(0));
}

TEST_CASE("A note waits for its measurement, but not for ever") {
  MarkPairing pairing;
  pairing.noted(note(1));
  CHECK_FALSE(pairing.next(false));
  for (unsigned turn = 1; turn < MarkPairing::kMaxTurns; ++turn) pairing.turn();
  CHECK_FALSE(pairing.next(false));
  pairing.measured(measurement(1));
  CHECK(pairing.next(false)->values.get(FrameMetric::ZeroedBytes) == 4096U);

  pairing.noted(note(2));
  for (unsigned turn = 0; turn < MarkPairing::kMaxTurns; ++turn) pairing.turn();
  const auto bare = pairing.next(false);
  REQUIRE(bare);
  CHECK_FALSE(bare->values.get(FrameMetric::ZeroedBytes));
}

TEST_CASE("Notes without measurement and measurements without note are passed over") {
  MarkPairing pairing;
  for (const std::uint64_t number : {1U, 2U, 5U}) pairing.noted(note(number));
  for (const std::uint64_t number : {2U, 3U, 5U}) pairing.measured(measurement(number));
  CHECK_FALSE(pairing.next(false)->values.get(FrameMetric::ZeroedBytes));
  CHECK(pairing.next(false)->values.get(FrameMetric::ZeroedBytes) == 2U * 4096);
  CHECK(pairing.next(false)->values.get(FrameMetric::ZeroedBytes) == 5U * 4096);
}

TEST_CASE("At the end no note waits; measurements without notes take limited memory") {
  MarkPairing pairing;
  pairing.noted(note(1));
  CHECK(pairing.next(true));
  for (std::uint64_t number = 2; number < 100'000; ++number) pairing.measured(measurement(number));
  pairing.noted(note(99'999));
  CHECK(pairing.next(false)->values.get(FrameMetric::ZeroedBytes) == 99'999U * 4096);
}

}  // namespace faultline::test
