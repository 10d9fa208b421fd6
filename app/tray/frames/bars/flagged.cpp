#include "app/tray/frames/bars/flagged.h"

#include <algorithm>

namespace faultline {

// Doubles the stretch it searches until the stretch holds a flagged frame, then halves it.
std::optional<std::uint64_t> nextFlagged(const FrameHistory& history, std::optional<std::uint64_t> place,
                                         int direction) {
  if (history.empty()) return std::nullopt;
  const std::uint64_t begin = history.begin();
  const std::uint64_t end = history.end();
  std::uint64_t from = std::clamp(place.value_or(end), begin, end);
  if (direction > 0) from = std::min(from + 1, end);
  const auto any = [&](std::uint64_t count) {
    const auto frames = direction > 0 ? history.stretch(from, std::min(from + count, end))
                                      : history.stretch(from - std::min(count, from - begin), from);
    return frames && frames->flagged;
  };
  const std::uint64_t most = direction > 0 ? end - from : from - begin;
  std::uint64_t high = 1;
  while (high < most && !any(high)) high *= 2;
  high = std::min(high, most);
  if (!any(high)) return std::nullopt;
  std::uint64_t low = 0;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (any(middle) ? high : low) = middle;
  }
  return direction > 0 ? from + high - 1 : from - high;
}

}  // namespace faultline
