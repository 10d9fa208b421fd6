#include "platform/sampling/posix/attention.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

namespace faultline {

Attention AttentionReader::read() {
  pollfd file{.fd = m_input, .events = POLLIN, .revents = 0};
  constexpr timespec kAtOnce{};
  if (ppoll(&file, 1, &kAtOnce, nullptr) <= 0) return m_told;
  std::array<char, 256> signs{};
  const ssize_t count = ::read(m_input, signs.data(), signs.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return m_told;
  if (count <= 0) {
    m_input = -1;  // ignored by poll
    m_told = {};
  }
  for (ssize_t i = 0; i < count; ++i) m_told.take(signs[static_cast<std::size_t>(i)]);
  return m_told;
}

std::function<Attention()> listenForAttention() {
  return [reader = AttentionReader(STDIN_FILENO)]() mutable { return reader.read(); };
}

}  // namespace faultline
