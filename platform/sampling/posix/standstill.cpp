#include "platform/sampling/standstill.h"

#include <csignal>
#include <cstring>
#include <ctime>

namespace faultline {
namespace {

struct Timer {
  timer_t id{};
  int error = 0;
};

// Ignores the terminal's stop signals: otherwise a reader that was stopped by Ctrl-Z for a while would find its
// collector killed.
Timer makeTimer() {
  for (const int signal : {SIGTSTP, SIGTTIN, SIGTTOU}) std::signal(signal, SIG_IGN);
  Timer timer;
  sigevent event{};
  event.sigev_notify = SIGEV_SIGNAL;
  event.sigev_signo = SIGKILL;
  if (timer_create(CLOCK_MONOTONIC, &event, &timer.id) != 0) timer.error = errno;
  return timer;
}

}  // namespace

// The timer also runs while the program is stopped, and only SIGKILL ends a stopped program.
Result<void> limitStandstill(Nanoseconds most) {
  static const Timer timer = makeTimer();
  if (timer.error != 0)
    return fail(std::string("Cannot limit the time that this program may stand still: ") + std::strerror(timer.error) +
                ". Raise the limit of pending signals (ulimit -i).");
  constexpr std::int64_t kSecond = 1'000'000'000;
  const itimerspec end{.it_interval = {},
                       .it_value = {.tv_sec = most.count() / kSecond, .tv_nsec = most.count() % kSecond}};
  if (timer_settime(timer.id, 0, &end, nullptr) == 0) return {};
  return fail(std::string("Cannot limit the time that this program may stand still: ") + std::strerror(errno) + ".");
}

}  // namespace faultline
