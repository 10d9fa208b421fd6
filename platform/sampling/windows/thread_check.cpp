#include "platform/sampling/thread_check.h"

#include "platform/sampling/nt/thread_work.h"
#include "platform/sampling/windows/nt_functions.h"

namespace faultline {

Result<std::string> checkZeroingThreads(const std::function<void()>& pause) {
  const auto functions = systemNtFunctions();
  if (!functions) return tl::unexpected(functions.error());
  const auto work = threadWork(*functions, pause);
  if (!work) return tl::unexpected(work.error());
  return threadWorkText(*work);
}

}  // namespace faultline
