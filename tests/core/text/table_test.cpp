#include "core/text/table.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

TextTable fruit() {
  return {.rows = {{"name", "kg", "", "note"}, {"Äpfel", "12", "", ""}, {"figs", "3.25", "", "≈"}},
          .left = [](std::size_t column) { return column == 0 || column == 3; }};
}

}  // namespace

TEST_CASE("Words are aligned left, numbers right, and empty columns are left out") {
  CHECK(alignedTable(fruit()) ==
        "name     kg  note\n"
        "Äpfel    12\n"
        "figs   3.25  ≈\n");
}

TEST_CASE("Markdown has all columns and says how they are aligned") {
  CHECK(markdownTable(fruit()) ==
        "| name | kg |  | note |\n"
        "|---|--:|--:|---|\n"
        "| Äpfel | 12 |  |  |\n"
        "| figs | 3.25 |  | ≈ |\n");
}

TEST_CASE("Fields of CSV are quoted only if necessary") {
  CHECK(csvField("plain") == "plain");
  CHECK(csvField("a\"b,c") == "\"a\"\"b,c\"");
  CHECK(csvField("two\nlines") == "\"two\nlines\"");
  CHECK(csvField("two\rlines") == "\"two\rlines\"");
  CHECK(csvField("").empty());
}
