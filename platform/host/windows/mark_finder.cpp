#include "platform/host/mark_finder.h"

#include "platform/host/windows/frame_marks.h"

namespace faultline {

struct MarkFinder::State {};

MarkFinder::MarkFinder() = default;
MarkFinder::~MarkFinder() = default;

Result<FoundMarks> MarkFinder::look(std::uint32_t pid) {
  return FoundMarks{.own = holdsFrameMarks(pid)};
}

Result<ProbePoint, NotFound> MarkFinder::find(std::uint32_t /*pid*/, const FunctionName& /*wanted*/) {
  return tl::unexpected(NotFound{.message =
                                     "Faultline cannot watch the calls of a function on Windows. Let the game call "
                                     "faultline_frame() of faultline_frame.h.",
                                 .mayCome = false});
}

std::vector<std::uint32_t> MarkFinder::descendants(std::uint32_t pid) {
  return descendantsOf(pid);
}

}  // namespace faultline
