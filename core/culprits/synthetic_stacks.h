// Call stacks of the synthetic game. A sample holds the number of its call stack in place of registers; SyntheticStacks
// reads it.
#pragma once

#include "core/culprits/stack_frame.h"

namespace faultline {

enum class SyntheticStack : std::uint8_t { UnpackMesh, DecodeTexture, CopyTile, GrowParticles, Count };

// One register; no real processor has a single one.
[[nodiscard]] std::vector<std::uint64_t> registersOf(SyntheticStack stack);

class SyntheticStacks final : public StackReader {
 public:
  void notice(const FaultSample& /*sample*/) override {}
  [[nodiscard]] CallStack read(const FaultSample& sample) override;
};

}  // namespace faultline
