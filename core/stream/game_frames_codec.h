// Batches of a game's frames to MessagePack and back (stream/format.md: kind 5).
#pragma once

#include <cstddef>

#include "core/model/game_frame.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

// So that no batch outgrows what a frame of the stream may hold.
inline constexpr std::size_t kMaxGameFrames = std::size_t{1} << 16U;

// Frames beyond kMaxGameFrames are left out, and counted as lost.
void packGameFrames(const GameFrameBatch& batch, Packer& out);
// Overwrites `batch`, reusing its memory. False if this is no such batch.
[[nodiscard]] bool readGameFrames(TokenReader in, GameFrameBatch& batch);

}  // namespace faultline::wire
