#include "platform/host/wait.h"

#include <poll.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>

#include "platform/host/posix/waits/child_signal.h"

namespace faultline {
namespace {

using Steady = std::chrono::steady_clock;
using namespace std::chrono_literals;

timespec toTimespec(Nanoseconds duration) {
  const Nanoseconds left = std::max(duration, Nanoseconds{0});
  return {.tv_sec = left.count() / 1'000'000'000, .tv_nsec = left.count() % 1'000'000'000};
}

// A handle of endOf(). Leaves the end to be taken.
bool ended(WaitHandle handle) {
  siginfo_t info{};
  const auto child = static_cast<id_t>(kNoHandle - handle);
  if (waitid(P_PID, child, &info, WEXITED | WNOHANG | WNOWAIT) != 0) return errno == ECHILD;
  return info.si_pid != 0;
}

std::uint32_t endedOf(std::span<const WaitHandle> handles) {
  std::uint32_t answer = 0;
  for (std::size_t i = 0; i < handles.size(); ++i)
    if (handles[i] < kNoHandle && ended(handles[i])) answer |= 1U << i;
  return answer;
}

std::uint32_t readyOf(std::span<const pollfd> files) {
  std::uint32_t answer = 0;
  for (std::size_t i = 0; i < files.size(); ++i)
    if (files[i].revents != 0) answer |= 1U << i;
  return answer;
}

void pollFor(std::span<pollfd> files, std::optional<Nanoseconds> timeout, Steady::time_point begin) {
  int ready = 0;
  do {  // after EINTR wait for the rest of the timeout
    const timespec left = toTimespec(timeout.value_or(0ns) - (Steady::now() - begin));
    ready = ppoll(files.data(), files.size(), timeout ? &left : nullptr, nullptr);
  } while (ready < 0 && errno == EINTR);
}

}  // namespace

std::uint32_t waitAny(std::span<const WaitHandle> handles, std::optional<Nanoseconds> timeout) {
  std::array<pollfd, 32> all{};
  handles = handles.first(std::min(handles.size(), all.size()));
  const std::span files = std::span(all).first(handles.size());
  for (std::size_t i = 0; i < handles.size(); ++i)
    files[i] = {.fd = static_cast<int>(std::max(handles[i], kNoHandle)), .events = POLLIN, .revents = 0};

  const Steady::time_point begin = Steady::now();
  if (std::ranges::none_of(handles, [](WaitHandle handle) { return handle < kNoHandle; })) {
    pollFor(files, timeout, begin);
    return readyOf(files);
  }
  const ChildSignal heard;
  for (;;) {
    const std::uint32_t over = endedOf(handles);
    const Nanoseconds left = timeout ? *timeout - (Steady::now() - begin) : Nanoseconds::max();
    heard.wait(files, over != 0 ? 0ns : left);
    const std::uint32_t answer = over | readyOf(files);
    if (answer != 0 || left <= 0ns) return answer;
  }
}

}  // namespace faultline
