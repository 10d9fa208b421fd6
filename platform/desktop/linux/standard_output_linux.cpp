#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "platform/desktop/standard_output.h"

namespace faultline {

Result<void> StandardOutput::write(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDOUT_FILENO, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EAGAIN) {  // who shares the stream with us does not wait; we do
      pollfd room{.fd = STDOUT_FILENO, .events = POLLOUT, .revents = 0};
      ::poll(&room, 1, -1);
      continue;
    }
    if (written < 0) {
      m_readerGone = errno == EPIPE;
      return fail("Standard output cannot be written: " + std::generic_category().message(errno) + ".");
    }
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

}  // namespace faultline
