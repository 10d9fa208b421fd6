#include "platform/host/mark_finder.h"

#include "platform/host/windows/frame_marks.h"
#include "platform/host/windows/present_mon.h"
#include "platform/system/windows/system_text.h"

namespace faultline {

struct MarkFinder::State {
  std::string presentMon;
};

MarkFinder::MarkFinder() : m_state(makeHidden<State>()) {
  if (const auto program = findPresentMon(presentMonFolders())) m_state->presentMon = toUtf8(program->native());
}

Result<FoundMarks> MarkFinder::look(std::uint32_t pid) {
  return FoundMarks{.own = holdsFrameMarks(pid), .presentMon = m_state->presentMon};
}

Result<ProbePoint, NotFound> MarkFinder::find(std::uint32_t /*pid*/, const FunctionName& /*wanted*/) {
  return tl::unexpected(NotFound{.message =
                                     "Faultline cannot watch the calls of a function on Windows. Let the game call "
                                     "faultline_frame() of faultline_frame.h, or install PresentMon.",
                                 .mayCome = false});
}

std::vector<std::uint32_t> MarkFinder::descendants(std::uint32_t pid) {
  return descendantsOf(pid);
}

}  // namespace faultline
