#include "platform/host/lab/isolation.h"

#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include <csignal>

namespace faultline {

void endWithParent(std::uint32_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (static_cast<std::uint32_t>(getppid()) != parent) _exit(1);  // it ended before
}

void nameThread(const char* name) {
  prctl(PR_SET_NAME, name);
}

void sleepFor(Nanoseconds duration) {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(duration);
  const timespec time{.tv_sec = seconds.count(), .tv_nsec = (duration - seconds).count()};
  nanosleep(&time, nullptr);
}

}  // namespace faultline
