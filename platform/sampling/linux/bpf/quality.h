// How good the BPF sampler's numbers are on this machine, in words; the machine's own are those of facts/quality.h.
#pragma once

#include <optional>

#include "core/model/hello.h"
#include "platform/sampling/linux/bpf/programs.h"

namespace faultline {

// `exactPages`: ExactPages corrects what the programs tell of memory.
void describeBpfQuality(const BpfPrograms& programs, std::optional<bool> initOnAlloc, bool exactPages, Hello& hello);

}  // namespace faultline
