#include "platform/sampling/timing_slot.h"

namespace faultline {

// On Windows nothing runs at the faults of other processes.
TimingSlot takeTimingSlot() {
  return {};
}

}  // namespace faultline
