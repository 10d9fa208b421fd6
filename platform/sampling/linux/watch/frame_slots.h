// SlottedFrames: a game without marks, in slots of an assumed length. BPF programs note the game's sums at the first
// event after a slot, so that no reading shifts the border of a slot. A program that the process executes later is read
// from /proc (frame_clock.h).
#pragma once

#include <memory>

#include "core/base/result.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/linux/facts/refusal.h"
#include "platform/sampling/linux/target/watch_target.h"

namespace faultline {

// Moves from `target` only on success.
[[nodiscard]] Result<std::unique_ptr<FrameSource>, Unavailable> openSlottedFrames(WatchTarget& target,
                                                                                  const WatchOptions& options,
                                                                                  const Clock& clock);

}  // namespace faultline
