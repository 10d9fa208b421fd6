#include "core/text/command_words.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

using Words = std::vector<std::string>;

TEST_CASE("A command line is parted at blanks, and quotes and backslashes keep what they enclose") {
  CHECK(commandWords("sort -k 2  words.txt") == Words{"sort", "-k", "2", "words.txt"});
  CHECK(commandWords(R"(a 'b c' "d \"e\" \n" f\ g '' h'i'"j")") == Words{"a", "b c", R"(d "e" \n)", "f g", "", "hij"});
  CHECK(commandWords("echo $HOME *.txt '\\'") == Words{"echo", "$HOME", "*.txt", "\\"});
}

TEST_CASE("A command line without a program, or with an open quote, is refused in words") {
  CHECK(commandWords("a 'b").error().message == "The quote ' is not closed in 'a 'b'.");
  CHECK(commandWords("  ").error().message == "'  ' names no program.");
  CHECK(commandWords("'' x").error().message == "''' x' names no program.");
}
