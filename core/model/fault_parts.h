// FaultTimeParts: the parts of the time inside faults; they add up to the whole.
#pragma once

#include "core/base/units.h"

namespace faultline {

struct FaultTimeParts {
  Nanoseconds onProcessor{0};
  Nanoseconds waiting{0};  // for a processor: runnable, but not running
  Nanoseconds blocked{0};  // waiting for the disk, a lock, reclaim, compaction

  bool operator==(const FaultTimeParts&) const = default;
};

}  // namespace faultline
