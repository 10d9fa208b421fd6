// The processes that caused a peak: those with the highest values in a period of history.
#pragma once

#include <string>
#include <vector>

#include "core/monitor/monitor.h"

namespace faultline {

struct PeakCause {
  ProcessKey key;
  std::string name;
  float value = 0;  // highest in the period, in the unit of the series
};

// Highest first, at most `most`; omits zeros and Faultline's own.
[[nodiscard]] std::vector<PeakCause> peakCauses(const Monitor& monitor, ProcessMetric metric, MonotonicTime from,
                                                MonotonicTime to, std::size_t most = 5);

// The highest buckets, at least a tenth of the whole period apart from each other; at most `most`.
[[nodiscard]] std::vector<Bucket> highestPeaks(const std::vector<Bucket>& buckets, std::size_t most);

}  // namespace faultline
