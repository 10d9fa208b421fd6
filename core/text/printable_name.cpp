#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/text/quantity.h"
#include "core/text/utf8.h"

namespace faultline {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Code points that are unsafe in a line of text: they move the cursor, change the writing direction, or are invisible.
constexpr std::array<Range, 13> kHidden{{{0x00, 0x1F},
                                         {0x7F, 0x9F},
                                         {0xAD, 0xAD},
                                         {0x61C, 0x61C},
                                         {0x180E, 0x180E},
                                         {0x200B, 0x200F},
                                         {0x2028, 0x202E},
                                         {0x2060, 0x206F},
                                         {0xFEFF, 0xFEFF},
                                         {0xFFF9, 0xFFFB},
                                         {0x1D173, 0x1D17A},
                                         {0xE0000, 0xE007F},
                                         {0x10FFFE, 0x10FFFF}}};

bool hidden(char32_t point) {
  return std::any_of(kHidden.begin(), kHidden.end(),
                     [point](Range range) { return point >= range.first && point <= range.last; });
}

void appendEscaped(CodePoint point, std::string& out) {
  switch (point.value) {
    case U'\n':
      out += "\\n";
      return;
    case U'\r':
      out += "\\r";
      return;
    case U'\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (point.value < 0x80) appendEscapedByte(static_cast<char>(point.value), out);
  else fmt::format_to(std::back_inserter(out), "\\u{{{:x}}}", static_cast<std::uint32_t>(point.value));
}

}  // namespace

std::string printableName(std::string_view rawName) {
  std::string out;
  while (!rawName.empty()) {
    const auto point = firstCodePoint(rawName);
    if (!point) appendEscapedByte(rawName.front(), out);
    else if (hidden(point->value)) appendEscaped(*point, out);
    else out += rawName.substr(0, point->size);
    rawName.remove_prefix(point ? point->size : 1);
  }
  return out;
}

}  // namespace faultline
