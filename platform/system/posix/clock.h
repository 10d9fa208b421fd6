// The clocks of a POSIX system.
#pragma once

#include <time.h>

#include <chrono>

namespace faultline {

// For clocks that always exist.
[[nodiscard]] inline std::chrono::nanoseconds readClock(clockid_t clock) {
  timespec time{};
  ::clock_gettime(clock, &time);
  return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

}  // namespace faultline
