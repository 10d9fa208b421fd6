#include "platform/sampling/system_sampler.h"

#include <malloc.h>
#include <unistd.h>

#include <utility>

#include "platform/sampling/linux/bpf/sampler.h"
#include "platform/sampling/linux/perf/clear_page_sampler.h"
#include "platform/sampling/linux/proc/sampler.h"

namespace faultline {
namespace {

constexpr int kLargeBlock = 64 << 10;  // bytes

// The BPF sampler if its programs load, else the /proc sampler.
Result<std::unique_ptr<Sampler>> makeBestSampler(const Clock& clock, const SamplerOptions& options) {
  auto bpf = makeBpfSampler(clock, options.faultTime, options.noSlot);
  if (bpf) return std::move(*bpf);
  return makeProcSampler(clock, "/proc", std::move(bpf.error()));
}

}  // namespace

Result<std::unique_ptr<Sampler>> makeSystemSampler(const Clock& clock, const SamplerOptions& options) {
  // Fix the mmap threshold: loading BTF frees large blocks, from which glibc would raise the threshold and keep
  // outgrown buffers.
  mallopt(M_MMAP_THRESHOLD, kLargeBlock);
  auto sampler = makeBestSampler(clock, options);
  if (!sampler) return sampler;
  return withClearPageSampling(std::move(*sampler), options.sampling, options.noSlot);
}

std::uint32_t ownPid() {
  return static_cast<std::uint32_t>(getpid());
}

}  // namespace faultline
