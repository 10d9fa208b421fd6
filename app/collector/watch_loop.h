// The collector's other loop: the frames of one game, until the game or the reader is gone. Nothing is left out for a
// slow reader but frames that grow beyond a minute, and single faults beyond some thousands; both are counted as lost.
#pragma once

#include <string>

#include "core/model/hello.h"
#include "platform/sampling/clock.h"
#include "platform/sampling/frame_source.h"
#include "platform/sampling/outlet.h"

namespace faultline {

// Empty: it ended as it should. Else a sentence: the stream cannot be written.
[[nodiscard]] std::string runWatch(const Hello& hello, FrameSource& source, Outlet& outlet, const Clock& clock);

}  // namespace faultline
