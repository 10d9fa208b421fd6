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

  // The two clocks differ by the time asleep alone. Rounding hides the moment between the two reads, so that the gauge
  // stands still while the machine is awake; bracketing refuses a reading that was itself interrupted.
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
