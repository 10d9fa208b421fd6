// The roles of the synthetic machine: names of its processes, and their faults over time.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/base/units.h"

namespace faultline {

enum class Shape : std::uint8_t {
  Idle,   // `low` faults per second
  Sine,   // between `low` and `high` per second
  Step,   // `low`, then `high` per second
  Burst,  // `low` per second, and `high` faults within `length` of each period
  Disk,   // as Burst, but the bursts are major faults
  Brief,  // lives for `length` of each period with `high` per second; each period has a new process
};

struct Role {
  std::string_view name;
  Shape shape = Shape::Idle;
  std::uint64_t low = 0;
  std::uint64_t high = 0;
  Nanoseconds period = std::chrono::seconds(10);
  Nanoseconds length = std::chrono::seconds(1);
  std::uint64_t residentMegabytes = 8;
  std::uint64_t swingMegabytes = 0;  // additional memory that grows and shrinks with the shape
  std::uint64_t threads = 1;
};

// The first 16 indexes are active roles; the others repeat a list of nearly idle ones.
[[nodiscard]] const Role& roleOf(std::uint32_t index);

}  // namespace faultline
