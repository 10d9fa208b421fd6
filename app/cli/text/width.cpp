#include "app/cli/text/width.h"

#include <algorithm>
#include <array>
#include <span>

#include "app/cli/text/zero_width.h"

namespace faultline {
namespace {

using Range = CharacterRange;

// The blocks with width W or F in Unicode's EastAsianWidth.txt.
constexpr std::array kWide{
    Range{0x1100, 0x115F},   Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},
    Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},   Range{0xA960, 0xA97F},   Range{0xAC00, 0xD7A3},
    Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},   Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},
    Range{0x1F300, 0x1F64F}, Range{0x1F680, 0x1F6FF}, Range{0x1F900, 0x1FAFF}, Range{0x20000, 0x3FFFD}};

bool within(std::span<const Range> ranges, char32_t character) {
  return std::ranges::any_of(ranges, [=](Range r) { return character >= r.first && character <= r.last; });
}

struct Character {
  std::size_t bytes = 1;
  int width = 1;
};

Character firstOf(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text.front());
  if (lead < 0x80) return {};
  const std::size_t bytes = std::min(text.size(), lead >= 0xF0   ? std::size_t{4}
                                                  : lead >= 0xE0 ? std::size_t{3}
                                                                 : std::size_t{2});
  char32_t character = lead & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) character = (character << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  return {.bytes = bytes, .width = within(kNoColumn, character) ? 0 : within(kWide, character) ? 2 : 1};
}

std::string blanks(int count) {
  return std::string(static_cast<std::size_t>(std::max(count, 0)), ' ');
}

}  // namespace

int textWidth(std::string_view text) {
  int width = 0;
  while (!text.empty()) {
    const Character character = firstOf(text);
    width += character.width;
    text.remove_prefix(character.bytes);
  }
  return width;
}

std::string cutTo(std::string_view text, int width) {
  if (textWidth(text) <= width) return std::string(text);
  if (width <= 0) return {};
  std::size_t used = 0;
  for (int left = width - 1; used < text.size();) {
    const Character character = firstOf(text.substr(used));
    if (character.width > left) break;
    left -= character.width;
    used += character.bytes;
  }
  return std::string(text.substr(0, used)) + "…";
}

std::string leftIn(std::string_view text, int width) {
  const std::string cut = cutTo(text, width);
  return cut + blanks(width - textWidth(cut));
}

std::string rightIn(std::string_view text, int width) {
  const std::string cut = cutTo(text, width);
  return blanks(width - textWidth(cut)) + cut;
}

}  // namespace faultline
