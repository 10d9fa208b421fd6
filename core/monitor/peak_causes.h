// Who made a peak: the processes with the highest values in a stretch of history.
#pragma once

#include <string>
#include <vector>

#include "core/history/history.h"

namespace faultline {

struct PeakCause {
  ProcessKey key;
  std::string name;
  float value = 0;  // the highest in the stretch, in the series' own unit
};

// The highest first, at most `most`; nobody with zero.
[[nodiscard]] std::vector<PeakCause> peakCauses(const History& history, Series series, MonotonicTime from,
                                                MonotonicTime to, std::size_t most = 5);

// The highest of the buckets, each a tenth of the whole stretch from every other.
[[nodiscard]] std::vector<Bucket> highestPeaks(const std::vector<Bucket>& buckets, std::size_t most);

}  // namespace faultline
