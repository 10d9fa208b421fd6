// The parts of watching a game that work here, and the reasons why others do not.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/model/frame_fields.h"
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
  Freeing,
  ExitMemory
};
inline constexpr std::size_t kWatchPartCount = 13;

// The numbers of a frame that a part measures.
struct WatchPartNumbers {
  WatchPart part;
  FrameGroup group;
};
inline constexpr std::array kWatchPartNumbers{WatchPartNumbers{WatchPart::Zeroing, FrameGroup::Zeroing},
                                              WatchPartNumbers{WatchPart::FaultTime, FrameGroup::Timing},
                                              WatchPartNumbers{WatchPart::FaultParts, FrameGroup::Parts},
                                              WatchPartNumbers{WatchPart::Efforts, FrameGroup::Efforts},
                                              WatchPartNumbers{WatchPart::Path, FrameGroup::Path},
                                              WatchPartNumbers{WatchPart::Teardown, FrameGroup::Teardown},
                                              WatchPartNumbers{WatchPart::Freeing, FrameGroup::Freeing},
                                              WatchPartNumbers{WatchPart::Delay, FrameGroup::Delays}};

struct WatchAbilities {
  std::array<Unavailable, kWatchPartCount> reasons;
  FaultTiming timing;
  bool sparesClearing = false;

  [[nodiscard]] const Unavailable& reason(WatchPart part) const { return reasons[static_cast<std::size_t>(part)]; }
  [[nodiscard]] Unavailable& reason(WatchPart part) { return reasons[static_cast<std::size_t>(part)]; }
  [[nodiscard]] bool works(WatchPart part) const { return reason(part).why.empty(); }
};

}  // namespace faultline
