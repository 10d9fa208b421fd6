#include "core/stream/snapshot_diff.h"

#include <bit>

namespace faultline::wire {
namespace {

std::uint32_t differing(const ProcessValues& before, const ProcessValues& now) {
  if (before == now) return 0;  // the common case
  std::uint32_t metrics = 0;
  for (std::uint32_t i = 0; i < kProcessMetricCount; ++i) {
    const auto metric = static_cast<ProcessMetric>(i);
    if (before.get(metric) != now.get(metric)) metrics |= 1U << i;
  }
  return metrics;
}

}  // namespace

void SnapshotDiff::compare(std::span<const ProcessSample> before, std::span<const ProcessSample> now) {
  gone.clear();
  changed.clear();
  whole.clear();
  changedValues = 0;
  std::uint32_t b = 0;
  std::uint32_t n = 0;
  while (b < before.size() || n < now.size()) {
    if (n == now.size() || (b < before.size() && before[b].key < now[n].key)) {
      gone.push_back(b++);
    } else if (b == before.size() || now[n].key < before[b].key) {
      whole.push_back(n++);
    } else {
      if (before[b].name != now[n].name || before[b].values.present() != now[n].values.present() ||
          before[b].service != now[n].service) {
        whole.push_back(n);
      } else if (const std::uint32_t metrics = differing(before[b].values, now[n].values); metrics != 0) {
        changed.push_back({b, n, metrics});
        changedValues += static_cast<std::size_t>(std::popcount(metrics));
      }
      ++b;
      ++n;
    }
  }
}

}  // namespace faultline::wire
