// The sampler of Windows: every process and thread by one NtQuerySystemInformation a sweep, without a handle on any
// process. Counters are the kernel's and 32 bits wide, times are the clock's.
#pragma once

#include <memory>

#include "platform/sampling/clock.h"
#include "platform/sampling/nt/functions.h"
#include "platform/sampling/sampler.h"

namespace faultline {

// Opens the zero-page threads where it may, so it is called while SeDebugPrivilege is in effect; sample() needs another
// one at most, as needs() says. Error: the list of processes cannot be read.
[[nodiscard]] Result<std::unique_ptr<Sampler>> makeNtSampler(NtFunctions functions, NtHost host, const Clock& clock);

}  // namespace faultline
