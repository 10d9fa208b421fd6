#include "platform/sampling/frame_source.h"

#include "platform/sampling/windows/marked_frames.h"

namespace faultline {

// Sees a game with the rights in effect alone; no number of Windows needs more.
Result<std::unique_ptr<FrameSource>> openFrameSource(const WatchOptions& options, const Clock& clock,
                                                     const std::function<Result<void>()>& /*onceHeld*/) {
  if (options.probes.empty() && options.assumedRate == 0) return MarkedFrames::open(options, clock);
  return fail(
      "On Windows Faultline watches the frames of games that call faultline_frame() of faultline_frame.h. For any "
      "other "
      "game log frame times with PresentMon while 'faultline-cli record' records, then use 'faultline-cli join'.");
}

}  // namespace faultline
