// The stack reader of this system, opened for a running game; it goes on when the game is gone. Needs the right to read
// the game's memory map: the same user. Linux: elfutils' libdw.
#pragma once

#include <cstdint>
#include <memory>

#include "core/base/result.h"
#include "core/culprits/code_frame.h"

namespace faultline {

[[nodiscard]] Result<std::unique_ptr<StackReader>> openStackReader(std::uint32_t pid);

}  // namespace faultline
