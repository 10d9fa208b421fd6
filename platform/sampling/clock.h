// The clock as a parameter: real ones come from systemClock(), tests bring their own with a tick().
#pragma once

#include "core/base/units.h"

namespace faultline {

class Clock {
 public:
  virtual ~Clock() = default;

  [[nodiscard]] virtual MonotonicTime now() const = 0;
  [[nodiscard]] virtual WallTime wall() const = 0;
  [[nodiscard]] virtual Nanoseconds suspended() const = 0;  // machine asleep since boot, not counted by now()
};

[[nodiscard]] const Clock& systemClock();

}  // namespace faultline
