#include "app/cli/usage/narrow.h"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "app/cli/text/width.h"

using namespace faultline;

namespace {

void checkNarrow(const std::string& text) {
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    INFO(line);
    CHECK(textWidth(line) <= kHelpColumns);
  }
}

}  // namespace

TEST_CASE("Help that is narrow stays as it is") {
  for (const std::string text : {"", "\n", "one\ntwo\n", "A head:\n  name   what it is\n\nEnd", "  a\n\n"})
    CHECK(narrowed(text) == text);
}

TEST_CASE("A paragraph with a long line is filled anew, and no word is lost") {
  const std::string words = "of the words that a paragraph has, none is lost in whatever way its lines are broken, and";
  const std::string text = narrowed(words + "\nno line\n\nNext\nparagraph\n");
  checkNarrow(text);
  CHECK(text ==
        "of the words that a paragraph has, none is lost in whatever way its lines are\nbroken, and no line\n\n"
        "Next\nparagraph\n");
}

TEST_CASE("A row of a table goes on below its last column") {
  const std::string row =
      "  -o,--output FILE            The file to write, which is overwritten where there is one already\n";
  const std::string text = narrowed(row);
  checkNarrow(text);
  CHECK(text ==
        "  -o,--output FILE            The file to write, which is overwritten where\n"
        "                              there is one already\n");
}

TEST_CASE("A list of choices is broken after commas") {
  const std::string text = narrowed("  --sort COLUMN:{" + std::string(40, 'a') + "," + std::string(40, 'b') + ",c}\n");
  checkNarrow(text);
  CHECK(text.find("a,\n") != std::string::npos);
  CHECK(text.find("b,c}\n") != std::string::npos);
}

TEST_CASE("A command to copy stays on its line") {
  const std::string command = "  faultline-cli " + std::string(90, 'x') + "\n";
  CHECK(narrowed(command) == command);
}
