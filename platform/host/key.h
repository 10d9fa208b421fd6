// Keys: decodes the bytes that a terminal in raw mode sends. Makes no system call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace faultline {

enum class KeyKind : std::uint8_t {
  Text,
  Enter,
  Backspace,
  Escape,
  Up,
  Down,
  Left,
  Right,
  PageUp,
  PageDown,
  Home,
  End
};

struct Key {
  KeyKind kind = KeyKind::Text;
  std::string text;  // one character in UTF-8, for KeyKind::Text

  bool operator==(const Key&) const = default;
  [[nodiscard]] bool is(std::string_view character) const { return kind == KeyKind::Text && text == character; }
};

// The keys in the bytes of one read. Unknown sequences and control characters are ignored.
[[nodiscard]] std::vector<Key> parseKeys(std::string_view bytes);

}  // namespace faultline
