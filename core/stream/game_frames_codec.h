// Packs and reads batches of a game's frames (format.md, kinds 5 and 7).
#pragma once

#include <cstddef>

#include "core/model/game_frame.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

// This limit keeps a batch within the size of a packet.
inline constexpr std::size_t kMaxGameFrames = std::size_t{1} << 16U;

// Omits frames beyond kMaxGameFrames and counts them as lost.
void packGameFrames(const GameFrameBatch& batch, Packer& out);
// Overwrites `batch`, reusing its memory. False if the value is not a batch of frames.
[[nodiscard]] bool readGameFrames(TokenReader in, GameFrameBatch& batch);

// The same, compact, for recordings.
void packRecordedFrames(const GameFrameBatch& batch, Packer& out);
[[nodiscard]] bool readRecordedFrames(TokenReader in, GameFrameBatch& batch);

}  // namespace faultline::wire
