#include "platform/host/key.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace faultline {
namespace {

constexpr std::array<std::pair<std::string_view, KeyKind>, 16> kSequences{{
    {"[A", KeyKind::Up},
    {"[B", KeyKind::Down},
    {"[C", KeyKind::Right},
    {"[D", KeyKind::Left},
    {"OA", KeyKind::Up},
    {"OB", KeyKind::Down},
    {"OC", KeyKind::Right},
    {"OD", KeyKind::Left},
    {"[5~", KeyKind::PageUp},
    {"[6~", KeyKind::PageDown},
    {"[H", KeyKind::Home},
    {"[F", KeyKind::End},
    {"[1~", KeyKind::Home},
    {"[4~", KeyKind::End},
    {"OH", KeyKind::Home},
    {"OF", KeyKind::End},
}};

// Length of the sequence after ESC: ECMA-48 CSI "[ parameters final", or SS3 "O final"; 0: the Escape key.
std::size_t sequenceLength(std::string_view rest) {
  if (rest.size() >= 2 && rest[0] == 'O') return 2;
  if (rest.empty() || rest[0] != '[') return 0;
  for (std::size_t i = 1; i < rest.size(); ++i)
    if (rest[i] >= '@' && rest[i] <= '~') return i + 1;
  return rest.size();
}

std::size_t characterLength(unsigned char lead) {
  if (lead >= 0xF0) return 4;
  if (lead >= 0xE0) return 3;
  return lead >= 0xC0 ? 2 : 1;
}

std::optional<KeyKind> keyOf(std::string_view sequence) {
  const auto* found = std::ranges::find(kSequences, sequence, &std::pair<std::string_view, KeyKind>::first);
  return found == kSequences.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace

std::vector<Key> parseKeys(std::string_view bytes) {
  std::vector<Key> keys;
  while (!bytes.empty()) {
    const auto lead = static_cast<unsigned char>(bytes.front());
    std::size_t used = 1;
    if (lead == 0x1B) {
      const std::size_t length = sequenceLength(bytes.substr(1));
      if (length == 0) keys.push_back({KeyKind::Escape, {}});
      else if (const auto kind = keyOf(bytes.substr(1, length))) keys.push_back({*kind, {}});
      used += length;
    } else if (lead == '\r' || lead == '\n') {
      keys.push_back({KeyKind::Enter, {}});
    } else if (lead == 0x7F || lead == '\b') {
      keys.push_back({KeyKind::Backspace, {}});
    } else if (lead >= ' ') {
      used = std::min(characterLength(lead), bytes.size());
      keys.push_back({KeyKind::Text, std::string(bytes.substr(0, used))});
    }
    bytes.remove_prefix(used);
  }
  return keys;
}

}  // namespace faultline
