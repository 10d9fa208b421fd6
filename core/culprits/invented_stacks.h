// The call stacks of the demo's game, which does not exist: a sample of it names one by its number, in the place of
// registers, and InventedStacks reads it.
#pragma once

#include "core/culprits/code_frame.h"

namespace faultline {

enum class InventedStack : std::uint8_t { UnpackMesh, DecodeTexture, CopyTile, GrowParticles, Count };

// One register, which no processor has so few of.
[[nodiscard]] std::vector<std::uint64_t> registersOf(InventedStack stack);

class InventedStacks final : public StackReader {
 public:
  void notice(const FaultSample& /*sample*/) override {}
  [[nodiscard]] CodeStack read(const FaultSample& sample) override;
};

}  // namespace faultline
