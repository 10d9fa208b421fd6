// The process that had a pid when its child started.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>

#include "core/history/rates.h"

namespace faultline {

// In a range sorted by `key`, the last candidate of all that had `pid` by the time `born` (ProcessKey::startTime), or
// the end of the range.
template <class Range, class Key>
auto parentIn(Range& range, std::uint64_t pid, std::uint64_t born, Key key) {
  const ProcessKey latest{static_cast<std::uint32_t>(pid), born + static_cast<std::uint64_t>(kTick.count())};
  const auto after = std::ranges::upper_bound(range, latest, {}, key);
  const bool found = after != range.begin() && std::invoke(key, *(after - 1)).pid == pid;
  return found ? after - 1 : range.end();
}

}  // namespace faultline
