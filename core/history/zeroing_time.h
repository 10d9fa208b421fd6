// Zeroing time, which readers derive from the zeroed bytes and the cost of clearing. Pure; in ns.
#pragma once

#include <optional>

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

// The newest measurement: the collector repeats it now and then.
[[nodiscard]] std::optional<ZeroingCost> zeroingCost(const Hello& hello, const Snapshot& current);
// Bytes times the cost on the machine that measured; of large pages not less than the time of their faults.
void estimateZeroing(const ZeroingCost& cost, ProcessValues& values);
// Clearing is a part of the faults that asked for the memory, so it took no longer than they were on a processor. No
// limit if there were too few faults to have asked for it all: memory is also populated without a fault.
void limitZeroing(ProcessValues& values);

}  // namespace faultline
