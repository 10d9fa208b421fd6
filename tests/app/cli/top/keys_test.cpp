#include "app/cli/top/keys.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

Key text(const char* character) {
  return {KeyKind::Text, character};
}

// Presses keys in a table of 100 rows and 10 rows per page.
struct Table {
  TopState state;
  bool press(const Key& key) { return pressKey(key, 100, 10, state); }
  std::size_t press(KeyKind kind) {
    CHECK(press(Key{kind, {}}));
    return state.first;
  }
};

}  // namespace

TEST_CASE("The arrow keys scroll, and stop at both ends") {
  Table table;
  CHECK(table.press(KeyKind::Up) == 0);
  CHECK(table.press(KeyKind::Down) == 1);
  CHECK(table.press(KeyKind::PageDown) == 11);
  CHECK(table.press(KeyKind::End) == 90);
  CHECK(table.press(KeyKind::Down) == 90);
  CHECK(table.press(KeyKind::PageUp) == 80);
  CHECK(table.press(KeyKind::Up) == 79);
  CHECK(table.press(KeyKind::Home) == 0);
}

TEST_CASE("A list shorter than the page does not scroll") {
  TopState state;
  CHECK(pressKey({KeyKind::End, {}}, 3, 10, state));
  CHECK(state.first == 0);
}

TEST_CASE("s selects the next column to sort by, and S the previous one") {
  Table table;
  std::vector<std::string_view> names;
  do {
    names.push_back(sortName(table.state.sort));
    CHECK(table.press(text("s")));
  } while (sortName(table.state.sort) != "minor");
  CHECK(names == std::vector<std::string_view>{"minor", "major", "peak", "fault-time", "zeroed", "freed", "giving-back",
                                               "commit", "resident", "swapped", "mappings", "name"});
  CHECK(table.press(text("S")));
  CHECK(sortName(table.state.sort) == "name");
}

TEST_CASE("While the filter is typed, every key goes to the filter") {
  Table table;
  table.state.first = 5;
  CHECK(table.press(text("/")));
  for (const char* letter : {"q", "p", "é"}) CHECK(table.press(text(letter)));
  CHECK(table.state.filter == "qpé");
  CHECK_FALSE(table.state.paused);
  CHECK(table.state.first == 0);
  table.press(KeyKind::Backspace);
  CHECK(table.state.filter == "qp");
  table.press(KeyKind::Enter);
  CHECK_FALSE(table.state.typing);
  CHECK(table.state.filter == "qp");
  table.press(KeyKind::Escape);
  CHECK(table.state.filter.empty());
}

TEST_CASE("Escape clears the filter, and Backspace in an empty filter does nothing") {
  Table table;
  CHECK(table.press(text("/")));
  CHECK(table.press(text("x")));
  table.press(KeyKind::Backspace);
  table.press(KeyKind::Backspace);
  CHECK(table.state.filter.empty());
  CHECK(table.state.typing);
  table.press(KeyKind::Escape);
  CHECK_FALSE(table.state.typing);
}

TEST_CASE("p and the space bar pause, q quits") {
  Table table;
  CHECK(table.press(text("p")));
  CHECK(table.state.paused);
  CHECK(table.press(text(" ")));
  CHECK_FALSE(table.state.paused);
  CHECK(table.press(text("x")));
  CHECK_FALSE(table.press(text("q")));
  CHECK_FALSE(table.press(text("Q")));
}

TEST_CASE("A question mark shows the keys, and the next key does nothing but go back, or quits") {
  Table table;
  CHECK(table.press(text("?")));
  CHECK(table.state.help);
  CHECK(table.press(text("p")));
  CHECK_FALSE(table.state.help);
  CHECK_FALSE(table.state.paused);
  CHECK(table.press(text("c")));
  CHECK(table.state.commands);
  CHECK(table.press(text("?")));
  CHECK_FALSE(table.press(text("q")));
}
