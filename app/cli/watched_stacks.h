// WatchedStacks: the call stacks of the game that is watched, which may become another process, or another program.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "core/culprits/code_frame.h"
#include "core/model/hello.h"

namespace faultline {

class WatchedStacks final : public StackReader {
 public:
  // From now on samples are this game's. What was noticed of another is forgotten.
  void open(const WatchedGame& watched, bool invented);
  [[nodiscard]] const std::string& whyNot() const { return m_whyNot; }  // a sentence; empty: stacks are read

  void notice(const FaultSample& sample) override;
  [[nodiscard]] CodeStack read(const FaultSample& sample) override;

 private:
  std::unique_ptr<StackReader> m_reader;
  std::string m_whyNot;
};

}  // namespace faultline
