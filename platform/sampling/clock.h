// Clock: the clocks of the system as a parameter. systemClock() returns the real clock; tests use a fake clock.
#pragma once

#include "core/base/units.h"

namespace faultline {

class Clock {
 public:
  virtual ~Clock() = default;

  [[nodiscard]] virtual MonotonicTime now() const = 0;  // Linux: CLOCK_MONOTONIC; Windows: performance counter
  [[nodiscard]] virtual WallTime wall() const = 0;
  [[nodiscard]] virtual Nanoseconds suspended() const = 0;  // time suspended since boot that now() does not count
};

[[nodiscard]] const Clock& systemClock();

}  // namespace faultline
