#include "platform/host/posix/waits/child_signal.h"

#include <algorithm>

namespace faultline {
namespace {

using namespace std::chrono_literals;
constexpr Nanoseconds kSlice = 50ms;

}  // namespace

// The default action would not end a wait. Another handler does, and stays.
ChildSignal::ChildSignal() {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  pthread_sigmask(SIG_BLOCK, &child, &m_mask);
  m_handled = sigaction(SIGCHLD, nullptr, &m_action) == 0 && m_action.sa_handler == SIG_DFL;
  if (!m_handled) return;
  struct sigaction action{};
  action.sa_handler = [](int) {};
  action.sa_flags = SA_RESTART;  // other threads shall not notice
  sigaction(SIGCHLD, &action, nullptr);
}

ChildSignal::~ChildSignal() {
  if (m_handled) sigaction(SIGCHLD, &m_action, nullptr);
  pthread_sigmask(SIG_SETMASK, &m_mask, nullptr);
}

void ChildSignal::wait(std::span<pollfd> files, Nanoseconds most) const {
  const Nanoseconds time = std::clamp<Nanoseconds>(most, 0ns, kSlice);
  const timespec timeout{.tv_sec = 0, .tv_nsec = time.count()};
  sigset_t open = m_mask;
  sigdelset(&open, SIGCHLD);
  if (ppoll(files.data(), files.size(), &timeout, &open) >= 0) return;
  for (pollfd& file : files) file.revents = 0;  // interrupted
}

}  // namespace faultline
