#include "core/text/printable_text.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {

TEST_CASE("Line ends and tabs are kept, other hidden characters are escaped") {
  CHECK(printableText("a\tb\r\nc\n") == "a\tb\r\nc\n");
  CHECK(printableText("\x1b[2Ja\rb\n\u009b2J\r\n\u202e\xff\r") == "\\x1b[2Ja\\rb\n\\u{9b}2J\r\n\\u{202e}\\xff\\r");
  CHECK(printableText("").empty());
}

TEST_CASE("On a terminal without UTF-8 own signs become similar ones, and all others a question mark") {
  CHECK(inAscii("≈ 8 190 faults · 12 µs ±3 %\n● live ▾minor/s ▁▅█") ==
        "~ 8 190 faults . 12 us +-3 %\n* live vminor/s _=#");
  CHECK(inAscii("8\u202f192 日本") == "8 192 ??");
  CHECK(inAscii("\x1b[1mä\xff") == "\x1b[1m??");
}

TEST_CASE("The last line of a text is its last one that is not empty, made safe to show") {
  CHECK(lastLine("first\nthe \x1b roof\r\n \n") == "the \\x1b roof");
  CHECK(lastLine("only") == "only");
  CHECK(lastLine("\n \n").empty());
}

}  // namespace faultline
