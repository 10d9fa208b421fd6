// BpfFrames: the frames of a game that knows nothing of Faultline. Calls of a function end them, noted by BPF programs
// together with sums that are exact there (bpf/programs.h).
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/probe_file.h"
#include "platform/sampling/linux/target/watch_target.h"

namespace faultline {

// `target` is taken only if it works. What the reason is, somebody else may do without.
[[nodiscard]] Result<std::unique_ptr<FrameSource>, Unavailable> openBpfFrames(WatchTarget& target,
                                                                              const std::vector<ProbeFile>& places,
                                                                              const WatchOptions& options,
                                                                              const Clock& clock);

}  // namespace faultline
