// The files of code that a process has mapped, opened as that process sees them, whatever container it lives in.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

struct GameFile {
  std::string path;      // as the process sees it
  bool deleted = false;  // or replaced; the path may lead to another file by now
  bool program = false;  // the one that the process runs
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  [[nodiscard]] bool gone() const { return deleted && !program; }  // it cannot be opened any more
  [[nodiscard]] std::string name() const { return path.substr(path.rfind('/') + 1); }
};

// In the order of addresses, each once. Error: a sentence; there is no such process, or it is not the caller's.
[[nodiscard]] Result<std::vector<GameFile>> readGameFiles(std::uint32_t pid);

// `path` where the process `pid` sees it.
[[nodiscard]] std::string pathWithin(std::uint32_t pid, const std::string& path);
// Regular files only. Not valid: it cannot be opened, see errno.
[[nodiscard]] UniqueFd openFile(const std::string& path);
// The program even when it has been replaced; what lies below another root where we see it.
[[nodiscard]] UniqueFd openFile(std::uint32_t pid, const GameFile& file);

// Whether the process has made memory for faultline_frame().
[[nodiscard]] bool holdsFrameMarks(std::uint32_t pid);

}  // namespace faultline
