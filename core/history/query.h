// Reads one series out of the tiers: the coarsest that still serves the asked resolution, coarser where that one no
// longer reaches back, finer where it is not yet closed.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "core/history/state.h"

namespace faultline {

struct TimeRange {
  MonotonicTime from;
  MonotonicTime to;
  std::size_t columns = 0;
};

[[nodiscard]] std::vector<Bucket> bucketsOf(const std::array<Timeline, kTierCount>& timelines, const Life& life,
                                            ProcessMetric metric, const TimeRange& range);
[[nodiscard]] std::vector<Stretch> stretchesOf(const std::array<Timeline, kTierCount>& timelines, const Life& life,
                                               const TimeRange& range);
[[nodiscard]] std::optional<float> valueAt(const std::array<Timeline, kTierCount>& timelines, const Life& life,
                                           ProcessMetric metric, MonotonicTime time);

}  // namespace faultline
