// UTF-8 as it comes from process names: mostly right, now and then not.
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

// The code point that `text` begins with; absent if it begins with bytes that are no UTF-8 (overlong forms, surrogates
// and values above U+10FFFF are none).
[[nodiscard]] std::optional<CodePoint> firstCodePoint(std::string_view text);
[[nodiscard]] bool isUtf8(std::string_view text);

// "\x1b"
void appendEscapedByte(char byte, std::string& out);
[[nodiscard]] std::string hexBytes(std::string_view bytes);  // "ff0a"
// `text` with every byte that is no UTF-8, and NUL, as \xNN.
[[nodiscard]] std::string validUtf8(std::string_view text);

}  // namespace faultline
