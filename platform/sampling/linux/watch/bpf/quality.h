// How good the numbers of a game that BPF programs watch are, in words.
#pragma once

#include "platform/sampling/linux/watch/bpf/programs.h"

namespace faultline {

// All but the faults themselves.
void describeBpfWatch(const BpfWatch& watch, SampleMode samples, WatchedGame& game);
// Where there are no such programs.
void describeBpfMissing(const Obstacle& obstacle, WatchedGame& game);

}  // namespace faultline
