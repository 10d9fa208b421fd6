// Converts between UTF-8 and the UTF-16 of Windows, with U+FFFD for invalid sequences; and texts of system errors.
#pragma once

#include <windows.h>

#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] inline std::wstring toWide(std::string_view text) {
  const int size = static_cast<int>(text.size());
  std::wstring wide(static_cast<std::size_t>(::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, nullptr, 0)), L'\0');
  ::MultiByteToWideChar(CP_UTF8, 0, text.data(), size, wide.data(), static_cast<int>(wide.size()));
  return wide;
}

[[nodiscard]] inline std::string toUtf8(std::wstring_view wide) {
  const int size = static_cast<int>(wide.size());
  const int bytes = ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, nullptr, 0, nullptr, nullptr);
  std::string text(static_cast<std::size_t>(bytes), '\0');
  ::WideCharToMultiByte(CP_UTF8, 0, wide.data(), size, text.data(), bytes, nullptr, nullptr);
  return text;
}

// "Access denied", without a full stop; in English if this Windows has the English text.
[[nodiscard]] inline std::string reasonOf(DWORD error) {
  constexpr DWORD kFlags = FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS | FORMAT_MESSAGE_MAX_WIDTH_MASK;
  constexpr DWORD kLanguages[]{MAKELANGID(LANG_ENGLISH, SUBLANG_ENGLISH_US), 0};
  std::wstring text(512, L'\0');
  const auto size = static_cast<DWORD>(text.size());
  DWORD length = 0;
  for (const DWORD language : kLanguages)
    if (length == 0) length = ::FormatMessageW(kFlags, nullptr, error, language, text.data(), size, nullptr);
  while (length > 0 && (text[length - 1] <= L' ' || text[length - 1] == L'.')) --length;
  return length == 0 ? "error " + std::to_string(error) : toUtf8({text.data(), length});
}

}  // namespace faultline
