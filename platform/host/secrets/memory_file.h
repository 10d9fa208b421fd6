// MemoryFile: a file without a name, in memory alone, for a library that wants a path. Other programs of this user can
// open it while it lives, as they can read this program's memory; nothing is left of it.
#pragma once

#include <string>
#include <string_view>

#include "core/base/hidden.h"
#include "core/base/result.h"

namespace faultline {

class MemoryFile {
 public:
  [[nodiscard]] static Result<MemoryFile> holding(std::string_view text);
  [[nodiscard]] const std::string& path() const;  // for this program alone

 private:
  struct State;
  explicit MemoryFile(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

}  // namespace faultline
