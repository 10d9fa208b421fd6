// How long this program may stand still, stopped by a signal or held at a system call, before the system ends it.
// Whoever started a program may stop it; what it has changed in another program's memory must not outlast that.
#pragma once

#include "core/base/result.h"
#include "core/base/units.h"
#include "core/watch/options.h"

namespace faultline {

// Counts anew with each call; 0: as long as anybody likes. Error: the system sets no such limit, and why.
[[nodiscard]] Result<void> limitStandstill(Nanoseconds most);

}  // namespace faultline
