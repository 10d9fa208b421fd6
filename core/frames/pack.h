// Frames packed small: some 30 bytes for each instead of 200, and nothing of them lost.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/frames/tally.h"

namespace faultline {

// Appends `judged`, told by what differs from `before`: the frame packed last, or a JudgedFrame{} for the first.
void packFrame(const JudgedFrame& judged, const JudgedFrame& before, std::vector<std::uint8_t>& out);

// Takes from the front of `bytes` what packFrame() has put there, with the same `before`.
[[nodiscard]] JudgedFrame unpackFrame(std::span<const std::uint8_t>& bytes, const JudgedFrame& before);

}  // namespace faultline
