#include "platform/sampling/frame_source.h"

#include "platform/sampling/windows/watch/marked_frames.h"
#include "platform/sampling/windows/watch/present_mon_frames.h"

namespace faultline {

// Sees a game with the rights in effect alone; no number of Windows needs more.
Result<std::unique_ptr<FrameSource>> openFrameSource(const WatchOptions& options, const Clock& clock,
                                                     const std::function<Result<void>()>& /*onceHeld*/) {
  if (!options.presentMon.empty()) return PresentMonFrames::open(options, clock);
  if (options.probes.empty() && options.assumedRate == 0) return MarkedFrames::open(options, clock);
  return fail(
      "On Windows Faultline watches the frames of games that call faultline_frame() of faultline_frame.h, and with "
      "PresentMon those of any game: put the console program of github.com/GameTechDev/PresentMon beside "
      "faultline.exe. "
      "Or log frame times with PresentMon while 'faultline-cli record' records, then use 'faultline-cli join'.");
}

}  // namespace faultline
