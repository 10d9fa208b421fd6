// BpfFrames: the frames of an unmodified game. Calls of a function end them; BPF programs note each call with sums that
// are exact there (bpf/programs.h).
#pragma once

#include <memory>
#include <vector>

#include "core/base/result.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/probe_file.h"
#include "platform/sampling/linux/target/watch_target.h"

namespace faultline {

// Moves from `target` only on success. Another frame source may work in spite of the reason.
[[nodiscard]] Result<std::unique_ptr<FrameSource>, Unavailable> openBpfFrames(WatchTarget& target,
                                                                              const std::vector<ProbeFile>& places,
                                                                              const WatchOptions& options,
                                                                              const Clock& clock);

}  // namespace faultline
