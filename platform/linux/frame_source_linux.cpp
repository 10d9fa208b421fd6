#include "platform/frame_source.h"
#include "platform/linux/frame_clock_linux.h"
#include "platform/linux/frame_marks_linux.h"

namespace faultline {

Result<std::unique_ptr<FrameSource>> openFrameSource(const WatchOptions& options, const Clock& clock) {
  auto target = WatchTarget::open(options.pid);
  if (!target) return tl::unexpected(target.error());
  if (options.assumedRate > 0) return ClockedFrames::open(std::move(*target), options.assumedRate, clock);
  return MarkedFrames::open(std::move(*target), options, clock);
}

}  // namespace faultline
