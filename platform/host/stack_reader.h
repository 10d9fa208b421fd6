// The stack reader of this system, opened for a running game; it goes on when the game is gone. Needs the right to read
// the game's memory map: the same user. Linux: elfutils' libdw.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/culprits/code_frame.h"

namespace faultline {

class GameStackReader : public StackReader {
 public:
  // A sentence, once something was in the way of reading; else empty.
  [[nodiscard]] virtual std::string trouble() const = 0;
};

[[nodiscard]] Result<std::unique_ptr<GameStackReader>> openStackReader(std::uint32_t pid);

}  // namespace faultline
