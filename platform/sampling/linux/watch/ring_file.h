// The memory file without a name in which a game keeps its FrameRing.
#pragma once

#include "platform/sampling/records/frame_ring.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

// As FrameRing::over(). Error also: `file` is no such memory, or the game could shorten it.
[[nodiscard]] Result<FrameRing> openFrameRing(const UniqueFd& file, MonotonicTime now);

}  // namespace faultline
