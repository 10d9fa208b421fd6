#include "platform/host/key.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("Characters are keys, in UTF-8") {
  CHECK(parseKeys("qé€") == std::vector<Key>{{KeyKind::Text, "q"}, {KeyKind::Text, "é"}, {KeyKind::Text, "€"}});
}

TEST_CASE("Cursor keys are known in both of their spellings") {
  CHECK(parseKeys("\x1b[A\x1bOB\x1b[5~\x1b[H") ==
        std::vector<Key>{{KeyKind::Up, {}}, {KeyKind::Down, {}}, {KeyKind::PageUp, {}}, {KeyKind::Home, {}}});
}

TEST_CASE("Escape alone is a key, an unknown sequence is ignored") {
  CHECK(parseKeys("\x1b") == std::vector<Key>{{KeyKind::Escape, {}}});
  CHECK(parseKeys("\x1b[1;5Cx") == std::vector<Key>{{KeyKind::Text, "x"}});
  CHECK(parseKeys("\x1b[200").empty());
}

TEST_CASE("Enter and backspace are keys, other control characters are ignored") {
  CHECK(parseKeys("\r\x7f\x01") == std::vector<Key>{{KeyKind::Enter, {}}, {KeyKind::Backspace, {}}});
}

TEST_CASE("Empty input gives no key, and a truncated character is one key") {
  CHECK(parseKeys("").empty());
  CHECK(parseKeys("\xe2\x82") == std::vector<Key>{{KeyKind::Text, "\xe2\x82"}});
}
