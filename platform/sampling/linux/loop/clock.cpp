#include "platform/sampling/clock.h"

#include "platform/system/posix/clock.h"

namespace faultline {
namespace {

class SystemClock final : public Clock {
 public:
  [[nodiscard]] MonotonicTime now() const override { return {readClock(CLOCK_MONOTONIC)}; }
  [[nodiscard]] WallTime wall() const override { return {readClock(CLOCK_REALTIME)}; }

  // CLOCK_BOOTTIME minus CLOCK_MONOTONIC is the time suspended. Rounding down to 0.1 s hides the time between the two
  // reads, so that the value is constant while the machine is awake; a reading that took over 1 ms is repeated.
  [[nodiscard]] Nanoseconds suspended() const override {
    for (;;) {
      const Nanoseconds before = readClock(CLOCK_MONOTONIC);
      const Nanoseconds boot = readClock(CLOCK_BOOTTIME);
      if (readClock(CLOCK_MONOTONIC) - before > std::chrono::milliseconds(1)) continue;
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
