#include "core/text/duration.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("Durations are parsed with their unit") {
  CHECK(parseDuration("500ms") == 500ms);
  CHECK(parseDuration("2s") == 2s);
  CHECK(parseDuration("1min") == 1min);
  CHECK(parseDuration("1m") == 1min);
  CHECK(parseDuration(" 1.5 min ") == 90s);
  CHECK(parseDuration("0.25s") == 250ms);
  CHECK(parseDuration("1000h") == 1000h);
  CHECK(parseDuration("0s") == 0s);
}

TEST_CASE("Invalid durations are refused with an error message") {
  for (const char* bad : {"", "500", "ms", "1 parsec", "-1s", "0", "1001h", "1e3s", "nan s", "inf s", "5s5", "0.1ns"}) {
    INFO(bad);
    const auto duration = parseDuration(bad);
    REQUIRE_FALSE(duration);
    CHECK(duration.error().message.find(bad) != std::string::npos);
  }
}

TEST_CASE("The text of a duration is short and parses back exactly") {
  CHECK(durationText(500ms) == "500ms");
  CHECK(durationText(90s) == "90s");
  CHECK(durationText(2min) == "2min");
  CHECK(durationText(1h) == "1h");
  CHECK(durationText(1ns) == "1ns");
  for (const Nanoseconds duration : {Nanoseconds(33'333'333), Nanoseconds(1500ms), Nanoseconds(10us)})
    CHECK(parseDuration(durationText(duration)) == duration);
}
