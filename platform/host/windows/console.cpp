#include "platform/host/windows/console.h"

#include <algorithm>

#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

constexpr std::size_t kPiece = 8192;  // consoles before Windows 8 accept about 26 000 characters per call

bool isFirstHalf(wchar_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}

bool writeAll(HANDLE console, std::wstring_view text) {
  while (!text.empty()) {
    std::size_t size = std::min(text.size(), kPiece);
    if (size < text.size() && isFirstHalf(text[size - 1])) --size;
    DWORD written = 0;
    if (::WriteConsoleW(console, text.data(), static_cast<DWORD>(size), &written, nullptr) == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

}  // namespace

HANDLE handleOf(StandardStream stream) {
  switch (stream) {
    case StandardStream::Input:
      return ::GetStdHandle(STD_INPUT_HANDLE);
    case StandardStream::Output:
      return ::GetStdHandle(STD_OUTPUT_HANDLE);
    case StandardStream::Error:
      break;
  }
  return ::GetStdHandle(STD_ERROR_HANDLE);
}

std::optional<DWORD> consoleMode(StandardStream stream) {
  DWORD mode = 0;
  return ::GetConsoleMode(handleOf(stream), &mode) != 0 ? std::optional(mode) : std::nullopt;
}

bool writeToConsole(StandardStream stream, std::string_view text) {
  const HANDLE console = handleOf(stream);
  const auto before = consoleMode(stream);
  if (before) ::SetConsoleMode(console, *before | ENABLE_PROCESSED_OUTPUT | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  const bool written = writeAll(console, toWide(text));
  const DWORD error = ::GetLastError();
  if (before) ::SetConsoleMode(console, *before);
  ::SetLastError(error);
  return written;
}

}  // namespace faultline
