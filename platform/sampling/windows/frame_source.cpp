#include "platform/sampling/frame_source.h"

namespace faultline {

Result<std::unique_ptr<FrameSource>> openFrameSource(const WatchOptions& /*options*/, const Clock& /*clock*/,
                                                     const std::function<Result<void>()>& /*onceHeld*/) {
  return fail(
      "Faultline cannot watch the frames of games on Windows yet. Log frame times with PresentMon while 'faultline-cli "
      "record' records, then use 'faultline-cli join'.");
}

}  // namespace faultline
