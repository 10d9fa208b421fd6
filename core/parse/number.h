// Numbers in the kernel's text files. A number at the very end of the text is refused, since it may have been cut:
// files read completely end with a newline.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

namespace faultline {

// Takes the digits at the front of `text`. Absent if there are none, if they exceed 64 bits, or if no byte follows.
[[nodiscard]] inline std::optional<std::uint64_t> takeNumber(std::string_view& text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end == text.data() + text.size()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return value;
}

// Takes one byte if it equals `expected`.
[[nodiscard]] inline bool takeByte(std::string_view& text, char expected) {
  if (text.empty() || text.front() != expected) return false;
  text.remove_prefix(1);
  return true;
}

// Skips `count` fields, each with the single blank after it.
[[nodiscard]] inline bool skipFields(std::string_view& text, int count) {
  for (; count > 0; --count) {
    const std::size_t blank = text.find(' ');
    if (blank == std::string_view::npos) return false;
    text.remove_prefix(blank + 1);
  }
  return true;
}

// Takes one line without its newline; absent if no newline is left.
[[nodiscard]] inline std::optional<std::string_view> takeLine(std::string_view& text) {
  const std::size_t newline = text.find('\n');
  if (newline == std::string_view::npos) return std::nullopt;
  const std::string_view line = text.substr(0, newline);
  text.remove_prefix(newline + 1);
  return line;
}

}  // namespace faultline
