// Finds the next frame hit by faults.
#pragma once

#include <optional>

#include "core/frames/history.h"

namespace faultline {

// `direction` 1: the first such frame after `place`, else the last one before it. Without a place, the search starts
// behind the newest frame.
[[nodiscard]] std::optional<std::uint64_t> nextFlagged(const FrameHistory& history, std::optional<std::uint64_t> place,
                                                       int direction);

}  // namespace faultline
