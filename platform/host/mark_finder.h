// MarkFinder: searches the files mapped by a game for its own marks, for known functions that present frames, or for a
// named function. Only reads, and needs no privilege; the process must belong to the caller.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/hidden.h"
#include "core/watch/mark_source.h"
#include "platform/host/processes.h"

namespace faultline {

class MarkFinder final : public MarkSource {
 public:
  MarkFinder();

  // Again and again, while a game starts: it reads each file once.
  [[nodiscard]] Result<FoundMarks> look(std::uint32_t pid) override;
  [[nodiscard]] Result<ProbePoint, NotFound> find(std::uint32_t pid, const FunctionName& wanted) override;
  // With those that this process has adopted (processes.h).
  [[nodiscard]] std::vector<std::uint32_t> descendants(std::uint32_t pid) override;
  [[nodiscard]] std::string nameOf(std::uint32_t pid) override { return nameProcess(pid); }

 private:
  struct State;
  Hidden<State> m_state;
};

}  // namespace faultline
