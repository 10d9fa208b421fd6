// Whether Windows is asked to note the single page faults of a game.
#pragma once

#include <optional>

#include "core/model/hello.h"
#include "core/watch/options.h"
#include "platform/sampling/nt/fault_watch.h"

namespace faultline {

// If every fault is asked for, has Windows note the faults of the game until the game ends. `game`: gets the quality of
// its samples. Call it while a handle of the process is open, so that its pid stays its own.
[[nodiscard]] std::optional<FaultWatch> watchFaults(const WatchOptions& options, MonotonicTime now, WatchedGame& game);

}  // namespace faultline
