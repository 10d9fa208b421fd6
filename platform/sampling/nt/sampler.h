// The sampler of Windows: reads all processes and threads with one NtQuerySystemInformation per sweep, and opens no
// process. Counters are those of the kernel, 32 bits wide; times are those of the clock.
#pragma once

#include <memory>

#include "platform/sampling/clock.h"
#include "platform/sampling/nt/functions.h"
#include "platform/sampling/sampler.h"

namespace faultline {

// Call while SeDebugPrivilege is in effect, which opening the zero-page threads needs. sample() needs at most
// SeProfileSingleProcessPrivilege, see needs(). Error: the list of processes cannot be read.
[[nodiscard]] Result<std::unique_ptr<Sampler>> makeNtSampler(NtFunctions functions, NtHost host, const Clock& clock);

}  // namespace faultline
