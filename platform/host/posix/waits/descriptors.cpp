#include "platform/host/posix/waits/descriptors.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>

namespace faultline {

using Steady = std::chrono::steady_clock;

bool waitUntilReady(int file, Way way, std::optional<Steady::time_point> deadline) {
  const auto events = static_cast<short>(way == Way::ToRead ? POLLIN : POLLOUT);
  pollfd ready{.fd = file, .events = events, .revents = 0};
  for (;;) {
    const auto left =
        deadline ? std::max(*deadline - Steady::now(), Steady::duration::zero()) : Steady::duration::zero();
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    const timespec timeout{.tv_sec = seconds.count(), .tv_nsec = std::chrono::nanoseconds(left - seconds).count()};
    const int count = ppoll(&ready, 1, deadline ? &timeout : nullptr, nullptr);
    if (count >= 0) return count > 0;
    if (errno != EINTR) return true;  // a read or write tells why
  }
}

void waitForRoom(int file) {
  constexpr timespec kPatience{.tv_sec = 2, .tv_nsec = 0};
  constexpr timespec kAtOnce{};
  pollfd room{.fd = file, .events = POLLOUT, .revents = 0};
  sigset_t none;
  sigemptyset(&none);
  while (ppoll(&room, 1, &kPatience, nullptr) == 0) ppoll(&room, 1, &kAtOnce, &none);
}

ssize_t readSome(int file, std::span<std::byte> buffer) {
  ssize_t got = 0;
  do got = read(file, buffer.data(), buffer.size());
  while (got < 0 && errno == EINTR);
  return got;
}

ssize_t receiveAtOnce(int socket, char* data, std::size_t size) {
  const ssize_t got = recv(socket, data, size, MSG_DONTWAIT);
  return got < 0 && errno == ECONNRESET ? recv(socket, data, size, MSG_DONTWAIT) : got;
}

bool receiveAll(int socket, void* data, std::size_t size) {
  return recv(socket, data, size, MSG_WAITALL) == static_cast<ssize_t>(size);
}

}  // namespace faultline
