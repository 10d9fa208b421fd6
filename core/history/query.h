// Reads one series out of the tiers: from the coarsest tier that serves the asked resolution, from coarser tiers before
// its oldest slot, and from finer tiers after its newest closed slot.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/history/history.h"
#include "core/history/life.h"
#include "core/history/machine_series.h"

namespace faultline {

struct TimeRange {
  MonotonicTime from;
  MonotonicTime to;
  std::size_t columns = 0;
};

[[nodiscard]] std::vector<Bucket> bucketsOf(const std::array<Timeline, kTierCount>& timelines, const Life& life,
                                            ProcessMetric metric, const TimeRange& range);
[[nodiscard]] std::vector<Bucket> bucketsOf(const std::array<Timeline, kTierCount>& timelines,
                                            const MachineTracks& machine, SystemMetric metric, const TimeRange& range);
[[nodiscard]] std::vector<Stretch> stretchesOf(const std::array<Timeline, kTierCount>& timelines, const Life& life,
                                               const TimeRange& range);
[[nodiscard]] Growth growthOf(const std::array<Timeline, kTierCount>& timelines, const Life& life,
                              const TimeRange& range);
[[nodiscard]] std::optional<float> valueAt(const std::array<Timeline, kTierCount>& timelines, const Life& life,
                                           ProcessMetric metric, MonotonicTime time);

}  // namespace faultline
