// Quality of the BPF sampler's numbers on this machine; that of the machine's numbers is in facts/quality.h.
#pragma once

#include <optional>

#include "core/model/hello.h"
#include "platform/sampling/linux/bpf/programs.h"

namespace faultline {

// `exactPages`: ExactPages corrects the programs' counts of memory.
void describeBpfQuality(const BpfPrograms& programs, std::optional<bool> initOnAlloc, bool exactPages, Hello& hello);

// After the kernel has skipped a run of the programs.
void describeSkippedRuns(Hello& hello);

}  // namespace faultline
