// TimingSlot: the right to run a program at the page faults of all processes. Each collector that does so makes faults
// slower; at most 4 may at once.
#pragma once

#include <memory>
#include <string>

namespace faultline {

struct TimingSlot {
  std::shared_ptr<void> held;  // keeps the slot; null if the slot was refused or is not needed
  std::string refusal;         // why the slot was refused, with the pids of the holders; empty: not refused
};

inline constexpr const char* kEndAnother = "End one of the other collectors.";

// Call before privileges are dropped. A process without the needed privileges gets an empty TimingSlot.
[[nodiscard]] TimingSlot takeTimingSlot();

}  // namespace faultline
