// Batches of a watched game's faults to MessagePack and back (stream/format.md: kind 6).
#pragma once

#include <cstddef>

#include "core/model/fault_sample.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

// So that no batch outgrows what a frame of the stream may hold.
inline constexpr std::size_t kMaxFaultSamples = 2048;
inline constexpr std::size_t kMaxSampleStack = 4096;  // bytes
inline constexpr std::size_t kMaxSampleRegisters = 64;
inline constexpr std::size_t kMaxSampleText = 255;  // bytes, of each name

// Samples beyond kMaxFaultSamples are left out, and counted as lost; stacks and names are cut.
void packFaultSamples(const FaultSampleBatch& batch, Packer& out);
// Overwrites `batch`. False if this is no such batch.
[[nodiscard]] bool readFaultSamples(TokenReader in, FaultSampleBatch& batch);

}  // namespace faultline::wire
