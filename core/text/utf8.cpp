#include "core/text/utf8.h"

#include <array>
#include <cstdint>

namespace faultline {
namespace {

struct Form {
  std::uint8_t mask;  // of the leading byte's fixed bits
  std::uint8_t lead;
  char32_t least;  // lower values are overlong
};

constexpr std::array<Form, 4> kForms{{{0x80, 0x00, 0}, {0xE0, 0xC0, 0x80}, {0xF0, 0xE0, 0x800}, {0xF8, 0xF0, 0x10000}}};

}  // namespace

std::optional<CodePoint> firstCodePoint(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const auto lead = static_cast<std::uint8_t>(text.front());
  for (std::size_t size = 1; size <= kForms.size() && size <= text.size(); ++size) {
    const Form& form = kForms[size - 1];
    if ((lead & form.mask) != form.lead) continue;
    char32_t value = lead & static_cast<std::uint8_t>(~form.mask);
    for (std::size_t i = 1; i < size; ++i) {
      const auto byte = static_cast<std::uint8_t>(text[i]);
      if ((byte & 0xC0U) != 0x80U) return std::nullopt;
      value = (value << 6U) | (byte & 0x3FU);
    }
    const bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < form.least || value > 0x10FFFF || surrogate) return std::nullopt;
    return CodePoint{value, size};
  }
  return std::nullopt;
}

bool isUtf8(std::string_view text) {
  while (!text.empty()) {
    const auto point = firstCodePoint(text);
    if (!point) return false;
    text.remove_prefix(point->size);
  }
  return true;
}

std::string hexBytes(std::string_view bytes) {
  static constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  for (const char byte : bytes) {
    const auto value = static_cast<std::uint8_t>(byte);
    out += kDigits[value >> 4U];
    out += kDigits[value & 0xFU];
  }
  return out;
}

void appendEscapedByte(char byte, std::string& out) {
  out += "\\x" + hexBytes({&byte, 1});
}

std::string validUtf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto point = firstCodePoint(text);
    if (point && point->value != 0) out += text.substr(0, point->size);
    else appendEscapedByte(text.front(), out);
    text.remove_prefix(point ? point->size : 1);
  }
  return out;
}

}  // namespace faultline
