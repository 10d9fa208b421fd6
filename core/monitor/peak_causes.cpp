#include "core/monitor/peak_causes.h"

#include <algorithm>
#include <utility>

namespace faultline {

std::vector<PeakCause> peakCauses(const Monitor& monitor, ProcessMetric metric, MonotonicTime from, MonotonicTime to,
                                  std::size_t most) {
  const History& history = monitor.history();
  std::vector<PeakCause> causes;
  for (const ProcessKey& key : history.aliveBetween(from, to)) {
    if (monitor.isOwn(key)) continue;
    PeakCause cause{key, {}, 0};
    for (const Bucket& bucket : history.process(key, metric, from, to, 1))
      cause.value = std::max(cause.value, bucket.max);
    if (cause.value > 0) causes.push_back(cause);
  }
  const auto shown = causes.begin() + static_cast<std::ptrdiff_t>(std::min(most, causes.size()));
  std::ranges::partial_sort(causes, shown, std::greater{}, &PeakCause::value);
  causes.erase(shown, causes.end());
  for (PeakCause& cause : causes) cause.name = history.name(cause.key).value_or(std::string());
  return causes;
}

std::vector<Bucket> highestPeaks(const std::vector<Bucket>& buckets, std::size_t most) {
  std::vector<Bucket> sorted = buckets;
  std::ranges::sort(sorted, {}, [](const Bucket& bucket) { return std::pair(-bucket.max, bucket.start); });
  std::vector<Bucket> peaks;
  for (const Bucket& bucket : sorted) {
    const auto near = [&](const Bucket& other) {
      return std::chrono::abs(bucket.end - other.end) * 10 < buckets.back().end - buckets.front().start;
    };
    if (bucket.max <= 0 || peaks.size() == most) break;
    if (std::ranges::none_of(peaks, near)) peaks.push_back(bucket);
  }
  return peaks;
}

}  // namespace faultline
