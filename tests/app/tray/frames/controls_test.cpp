#include "app/tray/frames/controls.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {

using namespace std::chrono_literals;

TEST_CASE("The budget is the first number of the typed text, with a point or a comma") {
  CHECK(parseBudget(QStringLiteral("16.7 ms, 60 Hz")) == Nanoseconds(16'700us));
  CHECK(parseBudget(QStringLiteral(" 5 ")) == Nanoseconds(5ms));
  CHECK(parseBudget(QStringLiteral("6,9 ms")) == Nanoseconds(6'900us));
}

TEST_CASE("A budget is a number within the limits") {
  for (const char* text : {"", "much", "0", "-3", "0.01", "1000000", "ms 5"})
    CHECK_FALSE(parseBudget(QString::fromLatin1(text)).has_value());
}

}  // namespace faultline
