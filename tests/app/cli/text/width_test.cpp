#include "app/cli/text/width.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("textWidth() counts terminal columns") {
  CHECK(textWidth("") == 0);
  CHECK(textWidth("game") == 4);
  CHECK(textWidth("naïve") == 5);
  CHECK(textWidth("日本") == 4);
  CHECK(textWidth("e\u0301") == 1);  // e and a combining acute
  CHECK(textWidth("ที่นี่") == 2);       // two marks above each letter of Thai
  CHECK(textWidth("שָׁלוֹם") == 4);
  CHECK(textWidth("\u1112\u1161\u11ab") == 2);  // a Hangul syllable by its parts
  CHECK(textWidth("🎮") == 2);
  CHECK(textWidth("▁█") == 2);
  CHECK(textWidth("\xe6\x97") == 1);  // cut within a character: no reading past the end
}

TEST_CASE("leftIn() and rightIn() pad or cut text to exactly the width") {
  CHECK(leftIn("game", 6) == "game  ");
  CHECK(rightIn("game", 6) == "  game");
  CHECK(leftIn("a longer name", 6) == "a lon…");
  CHECK(leftIn("日本語", 4) == "日… ");  // a wide character is not halved
  CHECK(rightIn("日本語", 5) == "日本…");
  CHECK(cutTo("game", 4) == "game");
  CHECK(cutTo("game", 1) == "…");
  CHECK(cutTo("game", 0).empty());
  CHECK(leftIn("game", -3).empty());
}
