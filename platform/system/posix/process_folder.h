// ProcessFolder: a process in /proc, held open, so that its pid cannot become another process's. A process is its set
// of threads: after the end of the first one, /proc/PID tells neither memory nor program nor open files any more, but
// the folder of each other thread does. Failed calls set errno.
#pragma once

#include <fcntl.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/system/posix/unique_fd.h"

namespace faultline {

inline constexpr std::size_t kMostText = std::size_t{1} << 20U;  // a user's 65536 groups take 720 KB of status

// From the beginning of a file of /proc, at most `most` bytes. Empty: the file cannot be read.
[[nodiscard]] std::string readText(int file, std::size_t most = kMostText);

class ProcessFolder {
 public:
  static constexpr std::size_t kMostMaps = std::size_t{64} << 20U;  // 65530 mappings with short names take some 8 MB

  ProcessFolder() = default;
  explicit ProcessFolder(std::uint32_t pid);  // false if there is no such process

  explicit operator bool() const { return static_cast<bool>(m_folder); }
  [[nodiscard]] int get() const { return m_folder.get(); }  // /proc/PID

  // Sorted ids; empty if the process has ended, or cannot be read.
  [[nodiscard]] std::vector<std::uint32_t> threads() const;
  // The first thread's id while that has memory, else another thread's; absent: the process has no memory.
  [[nodiscard]] std::optional<std::uint32_t> livingThread() const;

  // "maps", "exe", "fd" (O_DIRECTORY), "root/...", by a living thread.
  [[nodiscard]] UniqueFd open(const std::string& name, int flags = O_RDONLY) const;
  // The beginning of "maps", up to `most` bytes, of the program that the process runs now; empty: it has no memory.
  // Absent: the list cannot be opened.
  [[nodiscard]] std::optional<std::string> readMaps(std::size_t most = kMostMaps) const;
  // The target of the link "exe"; empty if it cannot be read.
  [[nodiscard]] std::string link(const std::string& name) const;
  // Of the process as a whole: "stat", "status".
  [[nodiscard]] UniqueFd openOfProcess(const std::string& name) const;
  [[nodiscard]] std::string readOfProcess(const std::string& name) const;
  [[nodiscard]] UniqueFd openOfThread(std::uint32_t thread, const std::string& name) const;
  // Names relative to /proc/PID, for *at calls.
  [[nodiscard]] std::string pathOf(const std::string& name) const;

 private:
  std::uint32_t m_pid = 0;
  UniqueFd m_folder;
};

}  // namespace faultline
