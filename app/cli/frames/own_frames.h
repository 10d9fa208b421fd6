// Watches this program as if it were a game, to tell which numbers frames can have on this machine.
#pragma once

#include <vector>

#include "app/cli/stream/common_options.h"
#include "app/cli/text/doctor_report.h"

namespace faultline {

// Frames by a game's own marks, and by the calls of a function. Starts a collector for each; takes about half a second.
[[nodiscard]] std::vector<FrameFindings> examineFrames(const CommonOptions& options);

}  // namespace faultline
