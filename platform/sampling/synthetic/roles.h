// The cast of the synthetic machine: what the processes are called and how their faults come.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/units.h"

namespace faultline {

enum class Shape : std::uint8_t {
  Idle,   // `low` faults a second
  Sine,   // between `low` and `high` a second
  Step,   // `low`, then `high` a second
  Burst,  // `low` a second, and `high` at once within `length`
  Disk,   // as Burst, but its bursts are major faults
  Brief,  // lives for `length` of each period with `high` a second; then a new process takes its place
};

struct Role {
  std::string_view name;
  Shape shape = Shape::Idle;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  Nanoseconds period = std::chrono::seconds(10);
  Nanoseconds length = std::chrono::seconds(1);
  std::uint64_t residentMegabytes = 8;
  std::uint64_t swingMegabytes = 0;  // comes and goes with the shape
  std::uint64_t threads = 1;
};

// The first processes have roles of their own, all others idle.
[[nodiscard]] const Role& roleOf(std::uint32_t index);

}  // namespace faultline
