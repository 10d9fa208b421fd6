#include "core/text/utf16.h"

#include <cstdint>

namespace faultline {
namespace {

constexpr char32_t kHighSurrogates = 0xD800;
constexpr char32_t kLowSurrogates = 0xDC00;
constexpr char32_t kSurrogateMask = 0xFC00;

char32_t unitAt(std::span<const std::byte> text, std::size_t at) {
  return std::to_integer<char32_t>(text[at]) | std::to_integer<char32_t>(text[at + 1]) << 8U;
}

void append(char32_t bits, std::string& out) {
  out += static_cast<char>(static_cast<std::uint8_t>(bits));
}

void appendPoint(char32_t point, std::string& out) {
  if (point != 0 && point < 0x80) return append(point, out);
  if (point < 0x800) append(0xC0U | point >> 6U, out);
  else if (point < 0x10000) append(0xE0U | point >> 12U, out);
  else append(0xF0U | point >> 18U, out);
  if (point >= 0x10000) append(0x80U | (point >> 12U & 0x3FU), out);
  if (point >= 0x800) append(0x80U | (point >> 6U & 0x3FU), out);
  append(0x80U | (point & 0x3FU), out);
}

}  // namespace

void appendUtf16(std::span<const std::byte> text, std::string& out) {
  for (std::size_t at = 0; at + 1 < text.size(); at += 2) {
    char32_t point = unitAt(text, at);
    if ((point & kSurrogateMask) == kHighSurrogates && at + 3 < text.size()) {
      const char32_t low = unitAt(text, at + 2);
      if ((low & kSurrogateMask) == kLowSurrogates) {
        point = 0x10000 + ((point - kHighSurrogates) << 10U) + (low - kLowSurrogates);
        at += 2;
      }
    }
    appendPoint(point, out);
  }
}

}  // namespace faultline
