// Quality of a game's numbers by BPF programs.
#pragma once

#include "core/model/hello.h"
#include "core/model/watch_request.h"
#include "platform/sampling/linux/watch/bpf/parts.h"

namespace faultline {

// Describes all but the counts of faults, which it may lower to an estimate. `delay`: of each fault, that was asked
// for.
void describeBpfWatch(const WatchAbilities& abilities, SampleMode samples, Nanoseconds delay, WatchedGame& game);
// Lowers the programs' numbers to estimates.
void describeSkippedRuns(WatchedGame& game);
// For a game without BPF programs.
void describeBpfMissing(const Unavailable& reason, WatchedGame& game);

}  // namespace faultline
