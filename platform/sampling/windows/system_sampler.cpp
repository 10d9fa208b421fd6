#include "platform/sampling/system_sampler.h"

#include <windows.h>

#include "platform/sampling/nt/sampler.h"
#include "platform/sampling/windows/nt_functions.h"

namespace faultline {

// Nothing that is measured here costs the watched programs anything, so there is nothing to switch off.
Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock, const SamplerOptions& /*options*/) {
  auto functions = systemNtFunctions();
  if (!functions) return tl::unexpected(functions.error());
  return makeNtSampler(std::move(*functions), systemNtHost(), clock);
}

std::uint32_t ownPid() {
  return ::GetCurrentProcessId();
}

}  // namespace faultline
