#include "platform/sampling/timing_slot.h"

namespace faultline {

// On Windows nothing runs at the faults of other processes, and no fault is delayed.
Slot takeTimingSlot() {
  return {};
}

Slot takeDelaySlot() {
  return {};
}

}  // namespace faultline
