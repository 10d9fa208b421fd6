#include "platform/sampling/linux/watch/bpf/mark_ways.h"

#include <algorithm>
#include <array>
#include <span>

#include "platform/sampling/linux/bpf/handles.h"

namespace faultline {
namespace {

// In the order of MarkWay. Slots are seen by the programs at faults and allocations.
constexpr std::array<std::string_view, 4> kMarkPrograms{"mark", "markAtBreakpoint", "markAtGetrusage", ""};
constexpr std::array<std::string_view, 2> kLookupPrograms{"beginLookup", "endLookup"};

bool isIn(std::span<const std::string_view> programs, std::string_view program) {
  return std::ranges::find(programs, program) != programs.end();
}

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
  if (isIn(kLookupPrograms, program)) return settings.lookups != 0;
  return !isIn(kMarkPrograms, program) || program == kMarkPrograms[settings.markWay];
}

bool isAtProbes(std::string_view program) {
  return program == kMarkPrograms[kMarkAtProbe] || isIn(kLookupPrograms, program);
}

bool holdsLookups(const std::vector<ProbeFile>& places) {
  return std::ranges::count(places, ProbeCalls::Lookups, &ProbeFile::calls) > 0;
}

void nameBreakpoints(const std::vector<ProbeFile>& places, WatchSettings& settings) {
  for (std::size_t i = 0; i < places.size() && i < kMostBreakpoints; ++i) {
    if (places[i].calls() == ProbeCalls::Lookups) continue;
    settings.breakpoints[i] = places[i].address();
    if (places[i].calls() == ProbeCalls::SurfaceCommits) settings.commits |= 1U << i;
  }
}

}  // namespace faultline
