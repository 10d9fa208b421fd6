// What of watching a game works here, and why the rest does not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/linux/facts/obstacle.h"

namespace faultline {

// Each of the others can be missing; nothing works without marks. Times and samples take beginnings and ends of faults,
// the parts of a time the time itself; without ends a fault is counted when its thread does something else that is
// seen.
enum class WatchPart : std::uint8_t { Marks, FaultTime, Zeroing, Samples, Beginnings, Ends, FaultParts };
inline constexpr std::size_t kWatchPartCount = 7;

struct WatchAbilities {
  std::array<Obstacle, kWatchPartCount> obstacles;
  FaultTiming timing;
  bool sparesClearing = false;

  [[nodiscard]] const Obstacle& obstacle(WatchPart part) const { return obstacles[static_cast<std::size_t>(part)]; }
  [[nodiscard]] Obstacle& obstacle(WatchPart part) { return obstacles[static_cast<std::size_t>(part)]; }
  [[nodiscard]] bool works(WatchPart part) const { return obstacle(part).why.empty(); }
};

}  // namespace faultline
