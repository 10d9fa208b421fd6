#include "platform/sampling/thread_check.h"

namespace faultline {

Result<std::string> checkZeroingThreads(const std::function<void()>& /*pause*/) {
  return fail("Linux clears a page in the thread that asks for it: there are no threads that zero in the background.");
}

}  // namespace faultline
