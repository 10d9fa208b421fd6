#include "platform/host/standard_output.h"

#include <windows.h>

#include <algorithm>
#include <cerrno>
#include <system_error>

#include "platform/host/windows/console.h"
#include "platform/host/windows/control_events.h"

namespace faultline {
namespace {

// False: GetLastError() has the reason.
bool writeAll(StandardStream stream, std::string_view text) {
  if (consoleMode(stream)) return writeToConsole(stream, text);
  while (!text.empty()) {
    constexpr std::size_t kMost = std::size_t{1} << 30U;
    DWORD written = 0;
    const auto size = static_cast<DWORD>(std::min(text.size(), kMost));
    if (::WriteFile(handleOf(stream), text.data(), size, &written, nullptr) == 0) return false;
    text.remove_prefix(written);
  }
  return true;
}

int asErrno(DWORD error) {
  if (error == ERROR_PIPE_NOT_CONNECTED) return EPIPE;  // Wine's error for a closed pipe
  const auto known = std::error_code(static_cast<int>(error), std::system_category()).default_error_condition();
  return known.category() == std::generic_category() ? known.value() : EIO;
}

}  // namespace

Result<void> StandardOutput::writeUnescaped(std::string_view text) {
  const Counted stuck(controlEvents.stuckWrites);
  if (writeAll(StandardStream::Output, text)) return {};
  errno = asErrno(::GetLastError());
  m_readerGone = errno == EPIPE;
  return fail("Standard output cannot be written: " + std::generic_category().message(errno) + ".");
}

std::streamsize StandardOutputBuffer::xsputn(const char* text, std::streamsize size) {
  return m_out.writeUnescaped({text, static_cast<std::size_t>(size)}) ? size : 0;
}

void writeToStandardErrorUnescaped(std::string_view text) {
  static_cast<void>(writeAll(StandardStream::Error, text));
}

}  // namespace faultline
