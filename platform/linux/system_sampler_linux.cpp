#include <unistd.h>

#include "platform/linux/proc_sampler_linux.h"
#include "platform/system_sampler.h"

namespace faultline {

Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock, const SamplerOptions& /*options*/) {
  return makeProcSampler(clock);
}

std::uint32_t ownPid() {
  return static_cast<std::uint32_t>(getpid());
}

}  // namespace faultline
