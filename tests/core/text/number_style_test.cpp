#include "core/text/number_style.h"

#include <catch2/catch_test_macros.hpp>

#include "core/text/quantity.h"

using namespace faultline;

TEST_CASE("Numbers use the decimal point and the digits of the style that is set") {
  setNumberStyle({.decimalPoint = ","});
  CHECK(formatRate(12'400) == "12,4 k");
  CHECK(formatRate(0.001) == "<0,01");
  CHECK(formatBytes(1'300'000'000) == "1,21 GiB");
  CHECK(formatPercent(0.003) == "0,3 %");
  CHECK(formatDuration(std::chrono::microseconds(14'200)) == "14,2 ms");
  CHECK(formatCount(8192) == "8\u202f192");
  setNumberStyle({.decimalPoint = "٫", .digits = {"٠", "١", "٢", "٣", "٤", "٥", "٦", "٧", "٨", "٩"}});
  CHECK(formatRate(12'400) == "١٢٫٤ k");
  CHECK(formatDuration(std::chrono::seconds(3 * 3600 + 720)) == "٣ h ١٢ min");
  setNumberStyle({.before = "\u200E"});
  CHECK(formatCount(26'700) == "\u200E26\u202f700");
  setNumberStyle({});
  CHECK(formatRate(12'400) == "12.4 k");
}
