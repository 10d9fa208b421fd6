// Reads call stacks of a running game, also after the game has ended. Needs the right to read the game's memory map
// (the same user). Linux: elfutils' libdw. Windows: DbgHelp, and the innermost function alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/base/result.h"
#include "core/culprits/stack_frame.h"
#include "platform/host/reading_budget.h"

namespace faultline {

class GameStackReader : public StackReader {
 public:
  // Why some call stacks could not be read, as a sentence; else empty.
  [[nodiscard]] virtual std::string trouble() const = 0;
};

// What the reader reads is taken from `budget`. read() waits for an answer until that is spent, or a signal asks this
// program to end.
[[nodiscard]] Result<std::unique_ptr<GameStackReader>> openStackReader(
    std::uint32_t pid, std::shared_ptr<ReadingBudget> budget = std::make_shared<ReadingBudget>(kCommandReading));

// To be said before every fault of a game is asked for, as a sentence; empty: there is nothing to say.
[[nodiscard]] std::string everyFaultWarning();

}  // namespace faultline
