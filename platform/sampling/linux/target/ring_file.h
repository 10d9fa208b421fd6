// The memory file without a name in which a game keeps its FrameRing.
#pragma once

#include <optional>

#include "platform/sampling/linux/target/watch_target.h"
#include "platform/sampling/records/frame_ring.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

// As FrameRing::over(). Error also: `file` is no such memory, or the game could shorten it.
[[nodiscard]] Result<FrameRing> openFrameRing(const UniqueFd& file, MonotonicTime now);

// The ring that the process created, not one of its parent's. Absent: there is none yet.
[[nodiscard]] Result<std::optional<FrameRing>> findFrameRing(const WatchTarget& target, MonotonicTime now);

}  // namespace faultline
