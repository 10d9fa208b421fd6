#include <unistd.h>

#include <utility>

#include "platform/linux/clear_page_sampler_linux.h"
#include "platform/linux/proc_sampler_linux.h"
#include "platform/system_sampler.h"

namespace faultline {

Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock, const SamplerOptions& options) {
  auto sampler = makeProcSampler(clock);
  if (!sampler) return sampler;
  return withClearPageSampling(std::move(*sampler), options.sampling);
}

std::uint32_t ownPid() {
  return static_cast<std::uint32_t>(getpid());
}

}  // namespace faultline
