// The code files that a process has mapped, opened in the process's view of the file system, also in a container.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/base/result.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

struct GameFile {
  std::string path;      // in the process's view
  bool deleted = false;  // or replaced; the path may now be another file's
  bool program = false;  // the process's program
  std::uint64_t device = 0;
  std::uint64_t inode = 0;

  [[nodiscard]] bool gone() const { return deleted && !program; }  // cannot be opened any more
  [[nodiscard]] std::string name() const { return path.substr(path.rfind('/') + 1); }
};

// In order of addresses, each file once. Error: a sentence; there is no such process, or it belongs to another user.
[[nodiscard]] Result<std::vector<GameFile>> readGameFiles(std::uint32_t pid);

// The file of the program that the process runs, in the process's view; empty if it cannot be read.
[[nodiscard]] std::string programOf(std::uint32_t pid);

// `path` of the process `pid` as a path of this process.
[[nodiscard]] std::string pathWithin(std::uint32_t pid, const std::string& path);
// Opens only regular files with content, and no other file even for a moment. Not valid if the file cannot be opened,
// with errno set.
[[nodiscard]] UniqueFd openFile(const std::string& path);
// Opens the program even if its file has been replaced. A file that is missing in the process's root is opened in ours.
[[nodiscard]] UniqueFd openFile(std::uint32_t pid, const GameFile& file);

// The process has created memory for faultline_frame().
[[nodiscard]] bool holdsFrameMarks(std::uint32_t pid);

}  // namespace faultline
