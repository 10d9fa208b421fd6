// The parts of watching a game that work here, and the reasons why others do not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "platform/sampling/linux/bpf/fault_timing.h"
#include "platform/sampling/linux/facts/refusal.h"

namespace faultline {

// Only Marks is required. FaultTime, Samples and Delay need Beginnings and Ends; FaultParts and Efforts (reclaim and
// compaction inside faults) need FaultTime; Path needs FaultParts. Without Ends a fault is counted at the next event of
// its thread; of ExitMemory, which older kernels need not have, no number tells.
enum class WatchPart : std::uint8_t {
  Marks,
  FaultTime,
  Zeroing,
  Samples,
  Beginnings,
  Ends,
  FaultParts,
  Teardown,
  Delay,
  Efforts,
  Path,
  ExitMemory
};
inline constexpr std::size_t kWatchPartCount = 12;

struct WatchAbilities {
  std::array<Unavailable, kWatchPartCount> reasons;
  FaultTiming timing;
  bool sparesClearing = false;

  [[nodiscard]] const Unavailable& reason(WatchPart part) const { return reasons[static_cast<std::size_t>(part)]; }
  [[nodiscard]] Unavailable& reason(WatchPart part) { return reasons[static_cast<std::size_t>(part)]; }
  [[nodiscard]] bool works(WatchPart part) const { return reason(part).why.empty(); }
};

}  // namespace faultline
