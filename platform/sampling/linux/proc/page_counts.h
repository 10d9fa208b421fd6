// Checks whether this kernel's /proc/PID/statm is exact. Older kernels count resident pages per thread or per CPU, and
// their sum lags by some dozen pages; newer kernels (since about 6.16) add up on each read.
#pragma once

#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline {

// Touches a few fresh pages of this process one by one, and checks that statm counts each.
[[nodiscard]] bool statmCountsSinglePages(ProcFiles& files);

}  // namespace faultline
