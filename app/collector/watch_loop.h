// The collector's loop for the frames of one game, until the game or the reader has ended. For a slow reader it keeps a
// minute of frames and 65 536 single faults, the newest with their stacks; older ones are counted as lost.
#pragma once

#include <memory>
#include <string>

#include "core/model/hello.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/outlet.h"

namespace faultline {

// Empty on success, else a sentence: the stream cannot be written.
[[nodiscard]] std::string runWatch(const Hello& hello, std::unique_ptr<FrameSource> source, Outlet& outlet,
                                   const Clock& clock);

}  // namespace faultline
