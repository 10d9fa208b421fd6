// The parts of the sweep's programs: each works or is unavailable by itself.
#pragma once

#include <cstddef>
#include <cstdint>

namespace faultline {

enum class BpfPart : std::uint8_t {
  Sweep,
  Zeroing,
  Exits,
  FaultTime,
  FaultParts,
  FaultEfforts,
  Freeing,
  Reclaim,
  Teardown,
  ExitMemory
};
inline constexpr std::size_t kBpfPartCount = 10;

// The events by which giving memory back is timed: the functions that begin and end taking pages away or, if no program
// can be attached to functions, the locking of a process's mappings.
enum class TeardownWay : std::uint8_t { Function, Lock };

}  // namespace faultline
