// WatchedStacks: the call stacks of the game that is watched, which may become another process, or another program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/culprits/code_frame.h"
#include "core/model/hello.h"
#include "platform/host/stack_reader.h"

namespace faultline {

class WatchedStacks final : public StackReader {
 public:
  // From now on samples are this game's. What was noticed of another is forgotten.
  void open(const WatchedGame& watched, bool invented);
  // A sentence; empty: stacks are read.
  [[nodiscard]] std::string whyNot() const { return m_game != nullptr ? m_game->trouble() : m_whyNot; }

  void notice(const FaultSample& sample) override;
  [[nodiscard]] CodeStack read(const FaultSample& sample) override;

 private:
  std::unique_ptr<StackReader> m_reader;
  const GameStackReader* m_game = nullptr;  // the same, of a game that is there
  std::string m_whyNot;
};

}  // namespace faultline
