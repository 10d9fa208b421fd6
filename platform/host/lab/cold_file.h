// ColdFile: a file whose pages are not in memory, for the lab: each first use of one waits for the disk. The file has
// no name, and ends with this process.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/hidden.h"
#include "core/base/result.h"

namespace faultline {

class ColdFile {
 public:
  // Below the folder for temporary files that outlive a restart. Error: the system's reason, or that it has no such
  // files.
  [[nodiscard]] static Result<ColdFile> create(std::size_t bytes);

  // To read; without readahead.
  [[nodiscard]] std::span<const std::byte> memory() const;
  // Takes all pages out of memory. Error: the system keeps them, such as in a file system that lies in memory.
  [[nodiscard]] Result<void> chill();

 private:
  struct State;
  explicit ColdFile(Hidden<State> state) : m_state(std::move(state)) {}
  Hidden<State> m_state;
};

}  // namespace faultline
