#include "platform/host/nt/console_keys.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

std::vector<Key> told(std::initializer_list<ConsoleKey> pressed) {
  return ConsoleKeys().tell(std::vector<ConsoleKey>(pressed));
}

Key text(const char* character) {
  return {KeyKind::Text, character};
}

}  // namespace

TEST_CASE("Cursor keys are recognized by their key codes") {
  const std::array kinds{KeyKind::PageUp, KeyKind::PageDown, KeyKind::End,   KeyKind::Home,
                         KeyKind::Left,   KeyKind::Up,       KeyKind::Right, KeyKind::Down};
  for (std::size_t i = 0; i < kinds.size(); ++i)
    CHECK(told({{.code = static_cast<std::uint16_t>(0x21 + i)}}) == std::vector<Key>{{kinds.at(i), {}}});
  CHECK(told({{.code = 0x20}, {.code = 0x29}, {.code = 0x70}}).empty());  // space without a character, Select, F1
}

TEST_CASE("The character of a key counts, not its key code") {
  CHECK(told({{.code = 0x51, .character = u'q'}, {.code = 0x35, .character = u'%'}}) ==
        std::vector{text("q"), text("%")});
  CHECK(told({{.code = 0x26, .character = u'8'}}) == std::vector{text("8")});
  CHECK(told({{.character = u'é'}, {.character = u'€'}}) == std::vector{text("é"), text("€")});
}

TEST_CASE("Control characters mean the same as in a terminal") {
  CHECK(told({{.character = u'\r'}, {.character = u'\b'}, {.character = u'\x01'}}) ==
        std::vector<Key>{{KeyKind::Enter, {}}, {KeyKind::Backspace, {}}});
}

TEST_CASE("Escape and the next key are two keys") {
  CHECK(told({{.character = u'\x1b'}, {.character = u'['}, {.character = u'A'}}) ==
        std::vector<Key>{{KeyKind::Escape, {}}, text("["), text("A")});
}

TEST_CASE("Modifiers alone are no keys") {
  CHECK(told({{.code = 0x10}, {.code = 0x11}, {.code = 0x12}}).empty());
}

TEST_CASE("A surrogate pair is one key, also if it comes in two calls") {
  const std::array halves{ConsoleKey{.character = 0xD83E}, ConsoleKey{.character = 0xDD80}};
  CHECK(ConsoleKeys().tell(halves) == std::vector{text("🦀")});
  ConsoleKeys keys;
  CHECK(keys.tell(std::span(halves).first(1)).empty());
  CHECK(keys.tell(std::span(halves).last(1)) == std::vector{text("🦀")});
}

TEST_CASE("A lone surrogate is ignored") {
  CHECK(told({{.character = 0xDD80}, {.character = u'a'}}) == std::vector{text("a")});
  CHECK(told({{.character = 0xD83E}, {.character = u'a'}, {.character = 0xDD80}}) == std::vector{text("a")});
  CHECK(told({{.character = 0xD83E}, {.code = 0x26}}) == std::vector<Key>{{KeyKind::Up, {}}});
}
