#include "platform/host/screen.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE(
    "A screen is told from its top left; each line is erased before it is written, and all below them at the end") {
  CHECK(screenText({"a", "b"}) == "\x1b[?2026h\x1b[H\x1b[2Ka\x1b[0m\r\n\x1b[2Kb\x1b[0m\x1b[J\x1b[?2026l");
  CHECK(screenText({}) == "\x1b[?2026h\x1b[H\x1b[J\x1b[?2026l");
}
