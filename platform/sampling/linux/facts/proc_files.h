// ProcFiles: the few ways in which Faultline touches /proc, so that a test can bring its own processes and make any
// read fail. Real implementation: makeProcFiles(). Negative results are -errno.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace faultline {

class ProcFiles {
 public:
  virtual ~ProcFiles() = default;

  // Appends the pids that are listed now ("."), or one's threads ("17/task"); 0 or -errno, after which `pids` may hold
  // a part.
  [[nodiscard]] virtual int list(const char* folder, std::vector<std::uint32_t>& pids) = 0;
  // `path` is relative to the root ("17/stat"). A descriptor belongs to the process, not to the pid: once that process
  // is dead, reads fail with -ESRCH even if the pid lives on.
  [[nodiscard]] virtual int open(const char* path) = 0;
  [[nodiscard]] virtual std::ptrdiff_t read(int file, std::span<char> buffer, std::size_t offset) = 0;
  virtual void close(int file) = 0;
};

// `root` is "/proc", or where another process namespace's is mounted.
[[nodiscard]] Result<std::unique_ptr<ProcFiles>> makeProcFiles(const std::string& root);

// Reads a whole small file into `buffer`, which keeps its size; what was read, or nothing on any failure.
[[nodiscard]] std::string_view readWhole(ProcFiles& files, int file, std::vector<char>& buffer);

// How many files this process may have open, after raising the soft limit to the hard one.
[[nodiscard]] std::size_t raiseFileLimit();

}  // namespace faultline
