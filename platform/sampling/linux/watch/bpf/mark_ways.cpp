#include "platform/sampling/linux/watch/bpf/mark_ways.h"

#include <linux/bpf.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string>

namespace faultline {
namespace {

// union bpf_attr's link_create as it is since Linux 6.6, which headers of before do not know.
struct LinkCreate {
  std::uint32_t program = 0;
  std::uint32_t target = 0;
  std::uint32_t attachType = 0;
  std::uint32_t flags = 0;
  std::uint64_t path = 0;
  std::uint64_t offsets = 0;
  std::uint64_t referenceCounters = 0;
  std::uint64_t cookies = 0;
  std::uint32_t count = 0;
  std::uint32_t multiFlags = 0;
  std::uint32_t pid = 0;
  std::uint32_t unused = 0;
};

template <class T>
std::uint64_t address(const T* of) {
  return reinterpret_cast<std::uintptr_t>(of);
}

// In the order of MarkWay.
constexpr std::array<std::string_view, 3> kMarkPrograms{"mark", "markAtBreakpoint", "markAtGetrusage"};

}  // namespace

std::vector<MarkWay> waysTo(const std::vector<ProbeFile>& places, bool ownMarks) {
  if (places.empty()) return {MarkWay::Getrusage};
  if (ownMarks) return {MarkWay::Probe, MarkWay::Getrusage};
#ifdef __x86_64__
  return {MarkWay::Probe, MarkWay::Breakpoint};
#else
  return {MarkWay::Probe};
#endif
}

bool isWanted(std::string_view program, const WatchSettings& settings) {
  return std::ranges::find(kMarkPrograms, program) == kMarkPrograms.end() || program == kMarkPrograms[settings.markWay];
}

UniqueFd placeProbe(int program, const ProbeFile& place, std::uint64_t cookie, std::uint32_t pid) {
  const std::string path = place.path();
  const std::uint64_t offset = place.offset();
  LinkCreate link;
  link.program = static_cast<std::uint32_t>(program);
  link.attachType = kTraceUprobeMulti;
  link.path = address(path.c_str());
  link.offsets = address(&offset);
  link.cookies = address(&cookie);
  link.count = 1;
  link.pid = pid;
  return UniqueFd(static_cast<int>(syscall(SYS_bpf, BPF_LINK_CREATE, &link, sizeof link)));
}

void nameBreakpoints(const std::vector<ProbeFile>& places, WatchSettings& settings) {
  for (std::size_t i = 0; i < places.size() && i < kMostBreakpoints; ++i) {
    settings.breakpoints[i] = places[i].address();
    if (places[i].calls() == ProbeCalls::SurfaceCommits) settings.commits |= 1U << i;
  }
}

}  // namespace faultline
