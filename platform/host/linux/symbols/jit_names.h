// JitNames: the names of a process's generated code, by the map file that its JIT compiler writes for perf:
// /tmp/perf-PID.map in the process's own file system and pid namespace. Reads what was appended since, or all of a file
// that was replaced or written anew, which is known by its inode, size and times, and by the bytes read before. Names
// of faults before that are sought in the earlier map first.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"
#include "core/culprits/perf_map.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class JitNames {
 public:
  // `process`: the process's folder in /proc. `time`: of the fault. Empty if no name is known. Valid until the next
  // call.
  [[nodiscard]] std::string_view at(int process, std::uint64_t address, MonotonicTime time);
  // Why names are missing, or may be those of other code, as a sentence; else empty.
  [[nodiscard]] std::string trouble() const;

 private:
  struct Seen {
    std::uint64_t inode = 0;
    std::uint64_t size = 0;
    Nanoseconds written{0};  // by the clock of files

    bool operator==(const Seen&) const = default;
  };
  struct Map {
    PerfMap names;
    std::optional<MonotonicTime> since;  // when it was begun, if known
  };

  void readMore(int process);
  void begin();
  [[nodiscard]] UniqueFd open(int process);
  [[nodiscard]] bool changes(int process);
  [[nodiscard]] bool goesOn(const Seen& before) const;
  [[nodiscard]] std::string_view nameAt(std::uint64_t address, MonotonicTime time);

  std::string m_path;  // in the process's folder
  UniqueFd m_file;
  Seen m_seen;
  std::uint64_t m_read = 0;   // bytes of the file
  std::string m_first;        // of these bytes, the first
  std::string m_last;         // and the last
  std::uint64_t m_spent = 0;  // bytes read, of all files
  Map m_map, m_before;
  std::optional<MonotonicTime> m_looked;  // when the file was last looked at
  std::uint64_t m_stale = 0;              // faults with names of a map that is younger than they
  MonotonicTime m_newestStale;
};

}  // namespace faultline
