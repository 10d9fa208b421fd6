#include "platform/sampling/posix/attention.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "platform/sampling/attention.h"

namespace faultline {

bool AttentionReader::active() {
  pollfd file{.fd = m_input, .events = POLLIN, .revents = 0};
  constexpr timespec kAtOnce{};
  if (ppoll(&file, 1, &kAtOnce, nullptr) <= 0) return m_active;
  std::array<char, 256> signs{};
  const ssize_t count = read(m_input, signs.data(), signs.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return m_active;
  if (count <= 0) {
    m_input = -1;  // ignored by poll
    m_active = true;
  }
  for (ssize_t i = 0; i < count; ++i) {
    const char sign = signs[static_cast<std::size_t>(i)];
    if (sign == '+' || sign == '-') m_active = sign == '+';
  }
  return m_active;
}

std::function<bool()> listenForAttention() {
  return [reader = AttentionReader(STDIN_FILENO)]() mutable { return reader.active(); };
}

}  // namespace faultline
