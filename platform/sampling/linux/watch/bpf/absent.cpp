// Replaces the code that needs libbpf in builds without libbpf or clang.
#include "platform/sampling/linux/bpf/sampler.h"
#include "platform/sampling/linux/watch/bpf/programs.h"

namespace faultline {
namespace {

Unavailable builtWithout() {
  return {.why = "This collector was built without libbpf and clang", .enable = "A collector built with them."};
}

}  // namespace

Result<std::unique_ptr<Sampler>, Unavailable> makeBpfSampler(const Clock& /*clock*/, bool /*faultTime*/,
                                                             const Unavailable& /*noSlot*/) {
  return tl::unexpected(builtWithout());
}

Result<std::unique_ptr<BpfWatch>, Unavailable> BpfWatch::open(const WatchTarget& /*target*/,
                                                              const std::vector<ProbeFile>& /*places*/,
                                                              const BpfWatchOptions& /*options*/) {
  return tl::unexpected(builtWithout());
}

void BpfWatch::collect(std::vector<BpfMark>& /*marks*/, FaultSampleBatch& /*samples*/) {}
void BpfWatch::choose(std::size_t /*mark*/) {}
std::optional<std::uint64_t> BpfWatch::faultsAfterMark() const {
  return std::nullopt;
}
std::optional<BpfWatch::Counts> BpfWatch::faultsAtExec() const {
  return std::nullopt;
}
std::uint64_t BpfWatch::handedOut() const {
  return 0;
}
MonotonicTime BpfWatch::beginSlots() {
  return {};
}
std::optional<FrameMark> BpfWatch::present() const {
  return std::nullopt;
}
bool BpfWatch::beginsToSkip() {
  return false;
}
bool BpfWatch::programLeft() const {
  return false;
}

}  // namespace faultline
