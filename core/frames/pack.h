// Compact, lossless encoding of frames: about 30 bytes each instead of 200.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/frames/tally.h"

namespace faultline {

// Appends `judged` as its difference to `before`: the previously packed frame, or JudgedFrame{} for the first.
void packFrame(const JudgedFrame& judged, const JudgedFrame& before, std::vector<std::uint8_t>& out);

// Takes one frame, packed with the same `before`, from the front of `bytes`.
[[nodiscard]] JudgedFrame unpackFrame(std::span<const std::uint8_t>& bytes, const JudgedFrame& before);

}  // namespace faultline
