#include "platform/host/nt/console_keys.h"

#include <array>
#include <optional>
#include <string>
#include <utility>

namespace faultline {
namespace {

// Winuser.h calls them VK_PRIOR, VK_NEXT, VK_END, VK_HOME, VK_LEFT, VK_UP, VK_RIGHT, VK_DOWN.
constexpr std::uint16_t kFirst = 0x21;
constexpr std::array kCursorKeys{KeyKind::PageUp, KeyKind::PageDown, KeyKind::End,   KeyKind::Home,
                                 KeyKind::Left,   KeyKind::Up,       KeyKind::Right, KeyKind::Down};

std::optional<KeyKind> cursorKey(const ConsoleKey& key) {
  if (key.character != u'\0' || key.code < kFirst || key.code >= kFirst + kCursorKeys.size()) return std::nullopt;
  return kCursorKeys.at(key.code - kFirst);
}

bool isFirstHalf(char16_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool isSecondHalf(char16_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

std::string inUtf8(char32_t character) {
  const auto byte = [](char32_t bits) { return static_cast<char>(bits); };
  const auto next = [&](unsigned shift) { return byte(0x80U | ((character >> shift) & 0x3FU)); };
  if (character < 0x80) return {byte(character)};
  if (character < 0x800) return {byte(0xC0U | (character >> 6U)), next(0)};
  if (character < 0x10000) return {byte(0xE0U | (character >> 12U)), next(6), next(0)};
  return {byte(0xF0U | (character >> 18U)), next(12), next(6), next(0)};
}

}  // namespace

std::vector<Key> ConsoleKeys::tell(std::span<const ConsoleKey> pressed) {
  std::vector<Key> keys;
  for (const ConsoleKey& key : pressed) {
    const char16_t before = std::exchange(m_half, u'\0');
    if (const auto kind = cursorKey(key)) {
      keys.push_back({*kind, {}});
    } else if (isFirstHalf(key.character)) {
      m_half = key.character;
    } else if (!isSecondHalf(key.character)) {
      // Decode one character at a time: an Escape and the next key are not an escape sequence.
      for (Key& told : parseKeys(inUtf8(key.character))) keys.push_back(std::move(told));
    } else if (before != u'\0') {
      const char32_t high = before - 0xD800U;
      for (Key& told : parseKeys(inUtf8(0x10000U + (high << 10U) + (key.character - 0xDC00U)))) keys.push_back(told);
    }
  }
  return keys;
}

}  // namespace faultline
