// In place of what is built with libbpf, where it or clang was missing.
#include "platform/linux/bpf_sampler_linux.h"
#include "platform/linux/frame_bpf_linux.h"

namespace faultline {
namespace {

Obstacle builtWithout() {
  return {.why = "This collector was built without libbpf and clang",
          .enable = "A collector that was built with them."};
}

}  // namespace

tl::expected<std::unique_ptr<Sampler>, Obstacle> makeBpfSampler(const Clock& /*clock*/, bool /*faultTime*/) {
  return tl::unexpected(builtWithout());
}

tl::expected<std::unique_ptr<FrameSource>, Obstacle> openBpfFrames(WatchTarget& /*target*/,
                                                                   const std::vector<ProbeFile>& /*places*/,
                                                                   const WatchOptions& /*options*/,
                                                                   const Clock& /*clock*/) {
  return tl::unexpected(builtWithout());
}

}  // namespace faultline
