#include "platform/host/standard_output.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace faultline {
namespace {

// Signals (signals.h) stay blocked while this process waits for the reader. After each kPatience without progress,
// unblock them for an instant, so that a pending signal ends the process.
void waitForRoom() {
  constexpr timespec kPatience{.tv_sec = 2, .tv_nsec = 0};
  constexpr timespec kAtOnce{};
  pollfd room{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
  sigset_t none;
  sigemptyset(&none);
  while (::ppoll(&room, 1, &kPatience, nullptr) == 0) ::ppoll(&room, 1, &kAtOnce, &none);
}

// A pipe that polls writable accepts PIPE_BUF bytes without blocking.
std::size_t pieceOf(std::size_t size) {
  struct stat status{};
  const bool pipe = ::fstat(STDOUT_FILENO, &status) == 0 && S_ISFIFO(status.st_mode);
  return pipe ? std::min<std::size_t>(size, PIPE_BUF) : size;
}

}  // namespace

Result<void> StandardOutput::writeUnescaped(std::string_view text) {
  while (!text.empty()) {
    waitForRoom();
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
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

}  // namespace faultline
