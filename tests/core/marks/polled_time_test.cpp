#include "core/marks/polled_time.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("A thread's time between two readings is spread evenly") {
  PolledTime polled;
  polled.add({{100ms}, 50ms, 1ms});
  polled.add({{110ms}, 54ms, 3ms});
  polled.add({{120ms}, 64ms, 3ms});
  CHECK(polled.of({100ms}, 10ms) == ThreadTime{{}, 2ms, 4ms});
  CHECK(polled.of({105ms}, 10ms) == ThreadTime{{}, 1ms, 2ms});
  CHECK(polled.of({110ms}, 10ms) == ThreadTime{{}, 0ms, 0ms});
}

TEST_CASE("A wait that is noted when it ends counts for the time before that reading") {
  PolledTime polled;
  for (int i = 0; i <= 5; ++i) polled.add({{100ms + i * 10ms}, 50ms, 0ms});  // waits from 108 ms on
  polled.add({{160ms}, 53ms, 49ms});                                         // runs again at 157 ms
  const auto waited = polled.of({100ms}, 60ms);
  REQUIRE(waited);
  CHECK(waited->waiting == 49ms);
  CHECK(waited->sleeping == 8ms);
  CHECK(polled.of({120ms}, 20ms) == ThreadTime{{}, 20ms, 0ms});
}

TEST_CASE("A frame that no readings surround has no times, and impossible readings give none that exceed the frame") {
  PolledTime polled;
  CHECK_FALSE(polled.of({100ms}, 10ms));
  polled.add({{100ms}, 50ms, 1ms});
  polled.add({{120ms}, 900ms, 800ms});
  polled.add({{140ms}, 10ms, 20ms});
  CHECK_FALSE(polled.of({99ms}, 10ms));
  CHECK_FALSE(polled.of({130ms}, 11ms));
  for (const auto start : {100ms, 110ms, 120ms}) {
    const auto spent = polled.of({start}, 20ms);
    REQUIRE(spent);
    CHECK((spent->waiting >= 0ms && spent->sleeping >= 0ms && spent->waiting + spent->sleeping <= 20ms));
  }
}
