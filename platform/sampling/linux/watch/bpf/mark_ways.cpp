#include "platform/sampling/linux/watch/bpf/mark_ways.h"

#include <algorithm>
#include <array>

#include "platform/sampling/linux/bpf/handles.h"

namespace faultline {
namespace {

// In the order of MarkWay. Slots are seen by the programs at faults and allocations.
constexpr std::array<std::string_view, 4> kMarkPrograms{"mark", "markAtBreakpoint", "markAtGetrusage", ""};

}  // namespace

std::vector<MarkWay> waysTo(const std::vector<ProbeFile>& places, bool ownMarks) {
  if (places.empty()) return {ownMarks ? MarkWay::Getrusage : MarkWay::Slot};
  if (ownMarks) return {MarkWay::Probe, MarkWay::Getrusage};
#ifdef __x86_64__
  return {MarkWay::Probe, MarkWay::Breakpoint};
#else
  return {MarkWay::Probe};
#endif
}

bool isWanted(std::string_view program, const WatchSettings& settings) {
  if (program == kCountsAgain) return settings.gfp.countsTwice != 0;
  return std::ranges::find(kMarkPrograms, program) == kMarkPrograms.end() || program == kMarkPrograms[settings.markWay];
}

void nameBreakpoints(const std::vector<ProbeFile>& places, WatchSettings& settings) {
  for (std::size_t i = 0; i < places.size() && i < kMostBreakpoints; ++i) {
    settings.breakpoints[i] = places[i].address();
    if (places[i].calls() == ProbeCalls::SurfaceCommits) settings.commits |= 1U << i;
  }
}

}  // namespace faultline
