#include "platform/sampling/linux/loop/attention.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>

#include "platform/sampling/attention.h"

namespace faultline {

bool AttentionReader::somebodyLooks() {
  pollfd file{.fd = m_input, .events = POLLIN, .revents = 0};
  constexpr timespec kAtOnce{};
  if (ppoll(&file, 1, &kAtOnce, nullptr) <= 0) return m_looks;
  std::array<char, 256> wishes{};
  const ssize_t count = read(m_input, wishes.data(), wishes.size());
  if (count < 0 && (errno == EAGAIN || errno == EINTR)) return m_looks;
  if (count <= 0) {
    m_input = -1;  // which poll passes over
    m_looks = true;
  }
  for (ssize_t i = 0; i < count; ++i) {
    const char wish = wishes[static_cast<std::size_t>(i)];
    if (wish == '+' || wish == '-') m_looks = wish == '+';
  }
  return m_looks;
}

std::function<bool()> listenForAttention() {
  return [reader = AttentionReader(STDIN_FILENO)]() mutable { return reader.somebodyLooks(); };
}

}  // namespace faultline
