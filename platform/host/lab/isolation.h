// The process of an experiment.
#pragma once

#include <cstdint>

#include "core/base/units.h"

namespace faultline {

// Lets the system end this process when its parent ends. Ends it at once if `parent` is not its parent any more.
void endWithParent(std::uint32_t parent);
// Names the calling thread, for traces; at most 15 bytes. Nothing on Windows.
void nameThread(const char* name);
// Sleeps, unless another process ends this one. No fault comes after the first call.
void sleepFor(Nanoseconds duration);

}  // namespace faultline
