// ThreadTime: how a thread spent the time between two marks, besides running.
#pragma once

#include "core/model/fault_parts.h"

namespace faultline {

struct ThreadTime {
  FaultTimeParts inFaults;
  Nanoseconds waiting{0};   // for a processor, outside faults
  Nanoseconds sleeping{0};  // or blocked, outside faults

  [[nodiscard]] Nanoseconds faults() const { return inFaults.onProcessor + inFaults.waiting + inFaults.blocked; }
  bool operator==(const ThreadTime&) const = default;
};

}  // namespace faultline
