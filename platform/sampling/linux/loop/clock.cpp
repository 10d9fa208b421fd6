#include "platform/sampling/clock.h"

#include <ctime>

namespace faultline {
namespace {

Nanoseconds read(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);  // cannot fail for the clocks used here
  return std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec);
}

class SystemClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime now() const override { return {read(CLOCK_MONOTONIC)}; }
  [[nodiscard]] WallTime wall() const override { return {read(CLOCK_REALTIME)}; }

  // CLOCK_BOOTTIME minus CLOCK_MONOTONIC is the time suspended. Rounding down to 0.1 s hides the time between the two
  // reads, so that the value is constant while the machine is awake; a reading that took over 1 ms is repeated.
  [[nodiscard]] Nanoseconds suspended() const override {
    for (;;) {
      const Nanoseconds before = read(CLOCK_MONOTONIC);
      const Nanoseconds boot = read(CLOCK_BOOTTIME);
      if (read(CLOCK_MONOTONIC) - before > std::chrono::milliseconds(1)) continue;
      return std::chrono::floor<std::chrono::duration<std::int64_t, std::deci>>(boot - before);
    }
  }
};

}  // namespace

const Clock& systemClock() {
  static const SystemClock clock;
  return clock;
}

}  // namespace faultline
