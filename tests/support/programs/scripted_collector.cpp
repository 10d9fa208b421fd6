// scripted_collector: the shipped collector before a scripted Windows 11 (windows_story.h). The variable
// FAULTLINE_SCRIPT names the rights of its user.
#include <cstdlib>
#include <memory>
#include <string_view>

#include "platform/sampling/nt/sampler.h"
#include "platform/sampling/nt/thread_work.h"
#include "platform/sampling/system_sampler.h"
#include "platform/sampling/thread_check.h"
#include "tests/support/windows_story.h"

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace faultline {

namespace {

test::WindowsStory& story() {
  const char* const script = std::getenv("FAULTLINE_SCRIPT");
  static test::WindowsStory told(script == nullptr ? std::string_view() : std::string_view(script));
  return told;
}

}  // namespace

Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock, const SamplerOptions& /*options*/) {
  return makeNtSampler(story().functions(), story().host(), clock);
}

Result<std::string> checkZeroingThreads(const std::function<void()>& pause) {
  const NtFunctions functions = story().functions();
  const auto work = threadWork(functions, pause);
  if (!work) return tl::unexpected(work.error());
  return threadWorkText(*work);
}

std::uint32_t ownPid() {
  return static_cast<std::uint32_t>(::getpid());
}

}  // namespace faultline
