// Call stacks of the synthetic game. A sample holds the number of its call stack in place of registers; SyntheticStacks
// reads it.
#pragma once

#include "core/culprits/code_frame.h"

namespace faultline {

enum class InventedStack : std::uint8_t { UnpackMesh, DecodeTexture, CopyTile, GrowParticles, Count };

// One register; no real processor has a single one.
[[nodiscard]] std::vector<std::uint64_t> registersOf(InventedStack stack);

class InventedStacks final : public StackReader {
 public:
  void notice(const FaultSample& /*sample*/) override {}
  [[nodiscard]] CodeStack read(const FaultSample& sample) override;
};

}  // namespace faultline
