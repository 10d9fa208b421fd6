// How good the numbers of a game that BPF programs watch are, in words.
#pragma once

#include "core/model/hello.h"
#include "core/model/watch_request.h"
#include "platform/sampling/linux/watch/bpf/parts.h"

namespace faultline {

// All but the faults themselves.
void describeBpfWatch(const WatchAbilities& abilities, SampleMode samples, WatchedGame& game);
// Where there are no such programs.
void describeBpfMissing(const Unavailable& reason, WatchedGame& game);

}  // namespace faultline
