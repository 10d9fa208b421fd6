// ProcFiles: Faultline's accesses to /proc, so that a test can supply processes and make any read fail. Real
// implementation: makeProcFiles(). Negative results are -errno.
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

  // Appends all pids ("."), or the threads of a process ("17/task"). 0 or -errno; `pids` may then hold a part.
  [[nodiscard]] virtual int list(const char* folder, std::vector<std::uint32_t>& pids) = 0;
  // `path` is relative to the root ("17/stat"). A descriptor belongs to the process, not to the pid: after its death
  // reads fail with -ESRCH, even if the pid is reused.
  [[nodiscard]] virtual int open(const char* path) = 0;
  [[nodiscard]] virtual std::ptrdiff_t read(int file, std::span<char> buffer, std::size_t offset) = 0;
  virtual void close(int file) = 0;
  // The descriptor of the folder relative to which open() and list() open files; -1: there is none.
  [[nodiscard]] virtual int root() const { return -1; }
};

// `root` is "/proc", or the mount point of another pid namespace's proc file system.
[[nodiscard]] Result<std::unique_ptr<ProcFiles>> makeProcFiles(const std::string& root);

// Reads a whole small file into `buffer`, which never shrinks; returns the contents, empty on any failure.
[[nodiscard]] std::string_view readWhole(ProcFiles& files, int file, std::vector<char>& buffer);

// After the first thread of a process has ended, its statm reads 0: reads that of another thread, by the list
// `threads`, which never shrinks. The size or -errno.
[[nodiscard]] std::ptrdiff_t readStatmOfThread(ProcFiles& files, std::uint32_t pid, std::span<char> buffer,
                                               std::vector<std::uint32_t>& threads);

// Raises the soft limit of open files to the hard limit; returns the limit.
[[nodiscard]] std::size_t raiseFileLimit();

}  // namespace faultline
