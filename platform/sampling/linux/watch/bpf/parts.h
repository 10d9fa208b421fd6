// What of watching a game works here, and why the rest does not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/linux/facts/refusal.h"

namespace faultline {

// Each of the others can be missing; nothing works without marks. Times and samples take beginnings and ends of faults,
// the parts of a time the time itself; without ends a fault is counted when its thread does something else that is
// seen.
enum class WatchPart : std::uint8_t { Marks, FaultTime, Zeroing, Samples, Beginnings, Ends, FaultParts };
inline constexpr std::size_t kWatchPartCount = 7;

struct WatchAbilities {
  std::array<Unavailable, kWatchPartCount> reasons;
  FaultTiming timing;
  bool sparesClearing = false;

  [[nodiscard]] const Unavailable& reason(WatchPart part) const { return reasons[static_cast<std::size_t>(part)]; }
  [[nodiscard]] Unavailable& reason(WatchPart part) { return reasons[static_cast<std::size_t>(part)]; }
  [[nodiscard]] bool works(WatchPart part) const { return reason(part).why.empty(); }
};

}  // namespace faultline
