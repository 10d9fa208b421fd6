#include "platform/host/wait.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

namespace faultline {
namespace {

using Steady = std::chrono::steady_clock;

timespec toTimespec(Nanoseconds duration) {
  const Nanoseconds left = std::max(duration, Nanoseconds{0});
  return {.tv_sec = left.count() / 1'000'000'000, .tv_nsec = left.count() % 1'000'000'000};
}

}  // namespace

std::uint32_t waitAny(std::span<const WaitHandle> handles, std::optional<Nanoseconds> timeout) {
  std::array<pollfd, 32> polled{};
  const std::size_t count = std::min(handles.size(), polled.size());
  for (std::size_t i = 0; i < count; ++i)
    polled[i] = {.fd = static_cast<int>(handles[i]), .events = POLLIN, .revents = 0};

  const Steady::time_point deadline = Steady::now() + timeout.value_or(Nanoseconds{0});
  int ready = 0;
  do {  // after EINTR wait for the rest of the timeout
    const timespec left = toTimespec(deadline - Steady::now());
    ready = ppoll(polled.data(), count, timeout ? &left : nullptr, nullptr);
  } while (ready < 0 && errno == EINTR);

  std::uint32_t answer = 0;
  for (std::size_t i = 0; i < count; ++i)
    if (polled[i].revents != 0) answer |= 1U << i;
  return answer;
}

}  // namespace faultline
