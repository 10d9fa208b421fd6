// scripted_collector: the shipped collector before a scripted Windows 11 (windows_story.h). The variable
// FAULTLINE_SCRIPT names the rights of its user.
#include <cstdlib>
#include <memory>
#include <string_view>

#include "platform/sampling/nt/sampler.h"
#include "platform/sampling/system_sampler.h"
#include "tests/support/windows_story.h"

#ifdef _WIN32
#include <process.h>
#else
#include <unistd.h>
#endif

namespace faultline {

Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock, const SamplerOptions& /*options*/) {
  const char* const script = std::getenv("FAULTLINE_SCRIPT");
  static test::WindowsStory story(script == nullptr ? std::string_view() : std::string_view(script));
  return makeNtSampler(story.functions(), story.host(), clock);
}

std::uint32_t ownPid() {
  return static_cast<std::uint32_t>(::getpid());
}

}  // namespace faultline
