#include "core/text/printable_text.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {

TEST_CASE("Line ends and tabs are kept, other hidden characters are escaped") {
  CHECK(printableText("a\tb\r\nc\n") == "a\tb\r\nc\n");
  CHECK(printableText("\x1b[2Ja\rb\n\u009b2J\r\n\u202e\xff\r") == "\\x1b[2Ja\\rb\n\\u{9b}2J\r\n\\u{202e}\\xff\\r");
  CHECK(printableText("").empty());
}

TEST_CASE("The last line of a text is its last one that is not empty, made safe to show") {
  CHECK(lastLine("first\nthe \x1b roof\r\n \n") == "the \\x1b roof");
  CHECK(lastLine("only") == "only");
  CHECK(lastLine("\n \n").empty());
}

}  // namespace faultline
