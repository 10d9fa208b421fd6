#include "core/lanes/lanes.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/text/quantity.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

constexpr Nanoseconds kNear = 20us;   // threads that one event wakes run again within this time
constexpr Nanoseconds kShort = 10us;  // a fault that only clears its page is over by then
constexpr int kLongFactor = 4;        // times the median: such a fault has waited

Nanoseconds atShare(const std::vector<Nanoseconds>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

std::vector<JointResume> jointResumes(std::vector<LaneFault> faults, Nanoseconds least, Nanoseconds near) {
  std::erase_if(faults, [&](const LaneFault& fault) { return fault.took < least; });
  std::ranges::sort(faults, {}, &LaneFault::end);
  std::vector<JointResume> found;
  for (std::size_t i = 0; i < faults.size();) {
    const MonotonicTime first = faults[i].end;
    std::set<std::uint32_t> threads;
    MonotonicTime last = first;
    for (; i < faults.size() && faults[i].end - first <= near; ++i) {
      if (faults[i].begin() >= first) continue;  // began when the others were over
      threads.insert(faults[i].thread);
      last = faults[i].end;
    }
    if (threads.size() > 1) found.push_back({last, threads.size()});
  }
  return found;
}

std::optional<LaneSummary> summarizeLanes(std::span<const LaneFault> faults, const LaneRun& run) {
  std::vector<LaneFault> own;
  std::ranges::copy_if(faults, std::back_inserter(own),
                       [&](const LaneFault& fault) { return fault.end >= run.from && fault.end <= run.to; });
  if (own.empty()) return std::nullopt;
  std::vector<Nanoseconds> times;
  times.reserve(own.size());
  for (const LaneFault& fault : own) times.push_back(fault.took);
  std::ranges::sort(times);
  LaneSummary summary{.faults = own.size(), .median = atShare(times, 0.5), .slow = atShare(times, 0.99)};
  summary.longest = times.back();
  summary.joint = jointResumes(std::move(own), std::max<Nanoseconds>(kLongFactor * summary.median, kShort), kNear);
  return summary;
}

std::string laneText(const LaneSummary& summary) {
  const std::size_t times = summary.joint.size();
  const std::string joint = times == 0   ? "threads never resumed together"
                            : times == 1 ? "threads resumed together once"
                                         : fmt::format("threads resumed together {} times", formatCount(times));
  return fmt::format("{} faults, the median {}, one of 100 longer than {}, the longest {}; {}",
                     formatCount(summary.faults), formatDuration(summary.median), formatDuration(summary.slow),
                     formatDuration(summary.longest), joint);
}

}  // namespace faultline
