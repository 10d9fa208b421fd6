// JitNames: the names of a process's generated code, by the map file that its JIT compiler writes for perf:
// /tmp/perf-PID.map in the process's own file system and pid namespace. Reads what was appended since.
#pragma once

#include <cstdint>
#include <string_view>

#include "core/culprits/perf_map.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class JitNames {
 public:
  // `process`: the process's folder in /proc. Empty if no name is known. Valid until the next call.
  [[nodiscard]] std::string_view at(int process, std::uint64_t address);

 private:
  void readMore(int process);

  UniqueFd m_file;
  std::uint64_t m_read = 0;  // bytes
  PerfMap m_map;
};

}  // namespace faultline
