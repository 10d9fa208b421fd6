#include "platform/host/posix/waits/children.h"

#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "platform/host/posix/waits/child_signal.h"

namespace faultline {
namespace {

using Steady = std::chrono::steady_clock;
using namespace std::chrono_literals;
constexpr Nanoseconds kKillPatience = 3s;

ExitStatus decode(int status) {
  if (WIFSIGNALED(status)) return {.code = 0, .signal = WTERMSIG(status)};
  return {.code = WEXITSTATUS(status), .signal = 0};
}

// waitpid() that does not block. Also tells the stops of a traced child.
EndedChild look(pid_t child, int& status) {
  pid_t got = -1;
  do got = waitpid(child, &status, WNOHANG);
  while (got < 0 && errno == EINTR);
  return {.pid = got, .status = got > 0 ? decode(status) : ExitStatus{.known = false}};
}

}  // namespace

WaitHandle endOf(pid_t child) {
  return kNoHandle - child;
}

std::optional<ExitStatus> takeEnd(pid_t child) {
  int status = 0;
  const EndedChild seen = look(child, status);
  const bool runs = seen.pid == 0 || (seen.pid > 0 && WIFSTOPPED(status));
  return runs ? std::nullopt : std::optional(seen.status);
}

std::optional<ExitStatus> takeEndWithin(pid_t child, Nanoseconds most) {
  static_cast<void>(waitAny(std::array{endOf(child)}, most));
  return takeEnd(child);
}

std::optional<ExitStatus> killAndTakeEnd(pid_t child) {
  kill(child, SIGKILL);
  return takeEndWithin(child, kKillPatience);
}

EndedChild takeAnyEnd() {
  int status = 0;
  EndedChild seen = look(-1, status);
  if (seen.pid > 0 && WIFSTOPPED(status)) seen.pid = 0;
  return seen;
}

std::optional<ChildStop> nextStop(pid_t child, Nanoseconds most, const Interrupt& interrupt) {
  const Steady::time_point deadline = Steady::now() + most;
  const ChildSignal heard;
  std::array files{pollfd{.fd = static_cast<int>(interrupt.ready), .events = POLLIN, .revents = 0}};
  for (;;) {
    int status = 0;
    const EndedChild seen = look(child, status);
    if (seen.pid > 0 && WIFSTOPPED(status)) return ChildStop{.signal = WSTOPSIG(status), .end = {}};
    if (seen.pid != 0) return ChildStop{.signal = 0, .end = seen.status};
    const Nanoseconds left = deadline - Steady::now();
    if (left <= 0ns || interrupt.now()) return std::nullopt;
    heard.wait(files, left);
  }
}

}  // namespace faultline
