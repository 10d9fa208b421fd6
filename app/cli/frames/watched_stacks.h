// WatchedStacks: reads the call stacks of the watched game, which may change to another process or program.
#pragma once

#include <memory>
#include <string>

#include "core/culprits/stack_frame.h"
#include "core/model/hello.h"
#include "platform/host/stack_reader.h"

namespace faultline {

class WatchedStacks final : public StackReader {
 public:
  // Switches to this game and forgets the samples noticed before.
  void open(const WatchedGame& watched, bool synthetic);
  // Why call stacks are not read, as a sentence; empty: they are read.
  [[nodiscard]] std::string whyNot() const { return m_game != nullptr ? m_game->trouble() : m_whyNot; }

  // Fewer call stacks of each frame are to be read, so that later frames have some.
  [[nodiscard]] bool areScarce() const { return m_budget->isTight(); }

  void notice(const FaultSample& sample) override;
  [[nodiscard]] CallStack read(const FaultSample& sample) override;

 private:
  std::shared_ptr<ReadingBudget> m_budget = std::make_shared<ReadingBudget>(kCommandReading);  // of all games
  std::unique_ptr<StackReader> m_reader;
  const GameStackReader* m_game = nullptr;  // m_reader, if it reads a running game; null for the synthetic game
  std::string m_whyNot;
};

}  // namespace faultline
