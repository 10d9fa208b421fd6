// Finds the bucket at a time: the last bucket for nullopt, null in a gap.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "core/history/history.h"

namespace faultline {

[[nodiscard]] inline const Bucket* bucketAt(const std::vector<Bucket>& buckets, std::optional<MonotonicTime> time) {
  if (buckets.empty()) return nullptr;
  if (!time) return &buckets.back();
  const auto after = std::ranges::lower_bound(buckets, *time, {}, &Bucket::end);
  if (after == buckets.end() || (after->gapBefore && *time < after->start)) return nullptr;
  return &*after;
}

}  // namespace faultline
