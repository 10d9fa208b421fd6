#include "platform/host/signals.h"

#include <sys/eventfd.h>
#include <sys/signalfd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <system_error>

#include "platform/system/posix/standard_streams.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

namespace {

// True for SIGHUP under nohup.
bool ignored(int signal) {
  struct sigaction action{};
  return ::sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

}  // namespace

struct Signals::State {
  UniqueFd fd;
  sigset_t before{};

  // A signal that still waits has been heard through interrupt(): it does not kill the program now.
  ~State() {
    signalfd_siginfo info{};
    while (fd && ::read(fd.get(), &info, sizeof info) == sizeof info) continue;
    sigprocmask(SIG_SETMASK, &before, nullptr);
  }
};

Result<Signals> Signals::listen(bool save) {
  sigset_t wanted;
  sigemptyset(&wanted);
  for (const int signal : {SIGINT, SIGTERM, SIGWINCH, SIGTSTP}) sigaddset(&wanted, signal);
  if (!ignored(SIGHUP)) sigaddset(&wanted, SIGHUP);
  if (save) sigaddset(&wanted, SIGUSR1);
  auto state = makeHidden<State>();
  sigprocmask(SIG_BLOCK, &wanted, &state->before);
  state->fd = UniqueFd(signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK));
  if (!state->fd) return fail("Signals cannot be received: " + std::generic_category().message(errno) + ".");
  return Signals(std::move(state));
}

WaitHandle Signals::ready() const {
  return m_state->fd.get();
}

std::optional<Signal> Signals::next() {
  signalfd_siginfo info{};
  if (::read(m_state->fd.get(), &info, sizeof info) != sizeof info) return std::nullopt;
  const bool fromTerminal = info.ssi_code == SI_KERNEL;
  switch (info.ssi_signo) {
    case SIGINT:
      return fromTerminal ? Signal::Interrupt : Signal::Terminate;
    case SIGWINCH:
      return Signal::Resize;
    case SIGTSTP:
      return Signal::Suspend;
    case SIGUSR1:
      return Signal::Save;
    default:
      return Signal::Terminate;
  }
}

namespace {

bool endRequested() {
  sigset_t others;
  sigemptyset(&others);
  for (const int signal : {SIGWINCH, SIGTSTP, SIGUSR1}) sigaddset(&others, signal);
  constexpr timespec kAtOnce{};
  for (int taken = 0; (taken = sigtimedwait(&others, nullptr, &kAtOnce)) > 0;)
    if (taken == SIGTSTP) suspendSelf();
  sigset_t pending;
  if (sigpending(&pending) != 0) return false;
  return sigismember(&pending, SIGINT) == 1 || sigismember(&pending, SIGTERM) == 1 ||
         sigismember(&pending, SIGHUP) == 1;
}

}  // namespace

Interrupt Signals::interrupt() const {
  return {.ready = ready(), .requested = endRequested};
}

struct SaveSignal::State {
  static inline std::atomic<int> told{-1};  // for the handler
  static_assert(std::atomic<int>::is_always_lock_free);

  UniqueFd event{::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)};
  struct sigaction before{};

  State() {
    told = event.get();
    struct sigaction action{};
    action.sa_flags = SA_RESTART;
    action.sa_handler = [](int) {
      const int error = errno;
      eventfd_write(told, 1);
      errno = error;
    };
    ::sigaction(SIGUSR1, &action, &before);
  }
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    ::sigaction(SIGUSR1, &before, nullptr);
    told = -1;
  }
};

Result<SaveSignal> SaveSignal::listen() {
  auto state = makeHidden<State>();
  if (!state->event) return fail("SIGUSR1 cannot be received: " + std::generic_category().message(errno) + ".");
  return SaveSignal(std::move(state));
}

WaitHandle SaveSignal::ready() const {
  return m_state->event.get();
}

void SaveSignal::take() {
  eventfd_t count = 0;
  eventfd_read(m_state->event.get(), &count);
}

struct DefaultSignals::State {
  sigset_t before{};

  ~State() { sigprocmask(SIG_SETMASK, &before, nullptr); }
};

DefaultSignals::DefaultSignals() : m_state(makeHidden<State>()) {
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, &m_state->before);
}

void settleSignals() {
  std::signal(SIGXFSZ, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
}

void tolerateClosedStreams() {
  occupyClosedStreams();
  std::signal(SIGPIPE, SIG_IGN);
}

void suspendSelf() {
  ::raise(SIGSTOP);
}

}  // namespace faultline
