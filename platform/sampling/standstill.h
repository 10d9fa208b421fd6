// Limits how long this program may stand still, stopped by a signal or held at a system call, before the system ends
// it: a user may stop the program, and its changes to another program's memory must not stay meanwhile.
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/watch/options.h"

namespace faultline {

// Restarts the limit; 0: no limit. Error: why the system sets no such limit.
[[nodiscard]] Result<void> limitStandstill(Nanoseconds most);

}  // namespace faultline
