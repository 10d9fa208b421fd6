#include "platform/sampling/frame_source.h"

namespace faultline {

Result<std::unique_ptr<FrameSource>> openFrameSource(const WatchOptions& /*options*/, const Clock& /*clock*/,
                                                     const std::function<Result<void>()>& /*onceHeld*/) {
  return fail(
      "The frames of a game cannot be watched on Windows yet. Its frame times can be joined with a recording of all "
      "processes: write them with PresentMon, record with faultline-cli record, then use faultline-cli join.");
}

}  // namespace faultline
