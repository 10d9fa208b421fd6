// Whether this kernel's /proc/PID/statm is exact. Older kernels count resident pages per thread or per processor and
// show the sum with a lag of some dozen pages; newer ones (since about 6.16) add up when asked.
#pragma once

#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline {

// Touches a few fresh pages of this very process one by one, and looks whether statm shows each.
[[nodiscard]] bool statmCountsSinglePages(ProcFiles& files);

}  // namespace faultline
