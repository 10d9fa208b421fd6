// Slots: the right to slow other programs, of which the machine has few. At most 4 collectors may run a program at the
// page faults of all processes, each of which makes faults slower; one of them may delay the faults of its game.
#pragma once

#include <memory>

#include "core/model/quality.h"

namespace faultline {

struct Slot {
  std::shared_ptr<void> held;  // keeps the slot; null if the slot was refused or is not needed
  Unavailable refusal;         // why the slot was refused, with the pids of the holders; no reason: not refused
};

// Call these before privileges are dropped. A process without the needed privileges gets an empty Slot.
[[nodiscard]] Slot takeTimingSlot();
[[nodiscard]] Slot takeDelaySlot();

}  // namespace faultline
