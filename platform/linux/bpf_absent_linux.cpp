// In place of bpf_sampler_linux.cpp where libbpf or clang was missing.
#include "platform/linux/bpf_sampler_linux.h"

namespace faultline {

tl::expected<std::unique_ptr<Sampler>, Obstacle> makeBpfSampler(const Clock& /*clock*/, bool /*faultTime*/) {
  return tl::unexpected(Obstacle{.why = "This collector was built without libbpf and clang",
                                 .enable = "A collector that was built with them."});
}

}  // namespace faultline
