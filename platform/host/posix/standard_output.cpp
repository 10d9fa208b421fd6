#include "platform/host/standard_output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <string>
#include <system_error>

#include "core/text/printable_text.h"
#include "platform/host/posix/waits/descriptors.h"
#include "platform/host/terminal.h"

namespace faultline {
namespace {

// A pipe that polls writable accepts PIPE_BUF bytes without blocking.
std::size_t pieceOf(std::size_t size) {
  struct stat status{};
  const bool pipe = ::fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
  return pipe ? std::min<std::size_t>(size, PIPE_BUF) : size;
}

}  // namespace

Result<void> StandardOutput::writeUnescaped(std::string_view text) {
  std::string ascii;
  if (isTerminal(StandardStream::Output) && !terminalIsUtf8()) text = ascii = inAscii(text);
  while (!text.empty()) {
    waitForRoom(STDOUT_FILENO);
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), pieceOf(text.size()));
    if (written < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (written < 0) {
      m_readerGone = errno == EPIPE;
      return fail("Standard output cannot be written: " + std::generic_category().message(errno) + ".");
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

std::streamsize StandardOutputBuffer::xsputn(const char* text, std::streamsize size) {
  return m_out.writeUnescaped({text, static_cast<std::size_t>(size)}) ? size : 0;
}

void writeToStandardErrorUnescaped(std::string_view text) {
  std::string ascii;
  if (isTerminal(StandardStream::Error) && !terminalIsUtf8()) text = ascii = inAscii(text);
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

}  // namespace faultline
