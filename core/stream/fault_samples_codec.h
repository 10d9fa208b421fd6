// Packs and reads batches of a watched game's fault samples (format.md, kind 6).
#pragma once

#include <cstddef>

#include "core/model/fault_sample.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

// These limits keep a batch within the size of a packet.
inline constexpr std::size_t kMaxFaultSamples = 2048;
inline constexpr std::size_t kMaxSampleStack = 8192;       // bytes
inline constexpr std::size_t kMaxStackBytes = 12U << 20U;  // of all stacks of a batch
inline constexpr std::size_t kMaxSampleRegisters = 64;
inline constexpr std::size_t kMaxSampleText = 255;  // bytes of each name

// The masks of a sample and of its mapping. A value that a mask says to follow is present afterwards, and zero.
[[nodiscard]] std::uint32_t maskOf(const FaultSample& sample);
[[nodiscard]] std::uint32_t maskOf(const FaultMapping& mapping);
void takeMask(std::uint64_t mask, FaultSample& sample);
void takeMask(std::uint64_t mask, FaultMapping& mapping);

// Omits samples beyond kMaxFaultSamples and kMaxStackBytes and counts them as lost; cuts stacks and names.
void packFaultSamples(const FaultSampleBatch& batch, Packer& out);
// Overwrites `batch`. False if the value is not a batch of samples.
[[nodiscard]] bool readFaultSamples(TokenReader in, FaultSampleBatch& batch);

}  // namespace faultline::wire
