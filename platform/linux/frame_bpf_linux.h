// BpfFrames: the frames of a game that knows nothing of Faultline. Calls of a function end them, noted by BPF programs
// together with sums that are exact there (bpf_watch_linux.h).
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "platform/frame_source.h"
#include "platform/linux/bpf_obstacle_linux.h"
#include "platform/linux/probe_file_linux.h"
#include "platform/linux/watch_target_linux.h"

namespace faultline {

// `target` is taken only if it works. What the obstacle is, somebody else may do without.
[[nodiscard]] tl::expected<std::unique_ptr<FrameSource>, Obstacle> openBpfFrames(WatchTarget& target,
                                                                                 const std::vector<ProbeFile>& places,
                                                                                 const WatchOptions& options,
                                                                                 const Clock& clock);

}  // namespace faultline
