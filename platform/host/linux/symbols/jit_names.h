// JitNames: the names of a process's generated code, by the map file that its JIT compiler writes for perf:
// /tmp/perf-PID.map in the process's own file system and pid namespace. Reads what was appended since, or all of a file
// that was written anew.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>

#include "core/culprits/perf_map.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class JitNames {
 public:
  // `process`: the process's folder in /proc. Empty if no name is known. Valid until the next call.
  [[nodiscard]] std::string_view at(int process, std::uint64_t address);
  // Why names are missing, as a sentence; else empty.
  [[nodiscard]] std::string trouble() const;

 private:
  using Seen =
      std::tuple<std::uint64_t, std::int64_t, std::int64_t, std::int64_t>;  // inode, size, time of the last write

  void readMore(int process);
  [[nodiscard]] UniqueFd open(int process);
  [[nodiscard]] bool changes(int process);
  [[nodiscard]] bool goesOn(int file, std::uint64_t size) const;

  std::string m_path;  // in the process's folder
  UniqueFd m_file;
  Seen m_seen;
  std::uint64_t m_read = 0;   // bytes of the file
  std::string m_last;         // of these bytes, the last
  std::uint64_t m_spent = 0;  // bytes read, of all files
  PerfMap m_map;
};

}  // namespace faultline
