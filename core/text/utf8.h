// UTF-8 that may be invalid, such as process names.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace faultline {

struct CodePoint {
  char32_t value = 0;
  std::size_t size = 0;  // in bytes
};

// The first code point of `text`. Absent if `text` does not begin with valid UTF-8 (overlong forms, surrogates and
// values above U+10FFFF are invalid).
[[nodiscard]] std::optional<CodePoint> firstCodePoint(std::string_view text);
[[nodiscard]] bool isUtf8(std::string_view text);

// Appends "\x1b" for byte 0x1b.
void appendEscapedByte(char byte, std::string& out);
[[nodiscard]] std::string hexBytes(std::string_view bytes);  // "ff0a"
// `text` with NUL and every byte that is not UTF-8 written as \xNN.
[[nodiscard]] std::string validUtf8(std::string_view text);

}  // namespace faultline
