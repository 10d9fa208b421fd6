#include "platform/sampling/system_sampler.h"

#include <windows.h>

#include "platform/sampling/nt/sampler.h"
#include "platform/sampling/windows/nt_functions.h"

namespace faultline {

// The options have no effect: no metric of Windows slows the watched programs down.
Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock, const SamplerOptions& /*options*/) {
  auto functions = systemNtFunctions();
  if (!functions) return tl::unexpected(functions.error());
  return makeNtSampler(std::move(*functions), systemNtHost(), clock);
}

std::uint32_t ownPid() {
  return ::GetCurrentProcessId();
}

}  // namespace faultline
