// OwnGroup: a control group (cgroup v2) of a run's own. It counts the page faults of all processes of the run, also of
// those that nobody waits for, and none of them leaves it.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/result.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

struct GroupCounts {
  std::uint64_t faults = 0;
  std::uint64_t majorFaults = 0;
  std::uint64_t peakBytes = 0;  // file cache and kernel memory included; 0: unknown

  bool operator==(const GroupCounts&) const = default;
};

class OwnGroup {
 public:
  // Below the nearest group of this process that may have such groups, and whose limits are those of this process.
  // `mount`: of the hierarchy; `own`: /proc/self/cgroup; `managed`: by systemd, which wants no other maker of groups
  // outside the trees that it has handed over. Removes groups whose makers were killed. Error: the reason, as a clause.
  [[nodiscard]] static Result<OwnGroup> create(const std::filesystem::path& mount, std::string_view own, bool managed);
  [[nodiscard]] static Result<OwnGroup> create();  // of this system

  // Kills the processes that are left in it, and removes it.
  ~OwnGroup();
  OwnGroup(OwnGroup&&) noexcept = default;
  OwnGroup& operator=(OwnGroup&&) = delete;

  // The calling process and what it starts. Async-signal-safe. False: not allowed.
  [[nodiscard]] bool enter() const;
  // Enters, and leaves its own page faults out. Absent: not allowed, or not told.
  [[nodiscard]] std::optional<GroupCounts> count() const;
  void remove() const;  // where it is empty

 private:
  OwnGroup(std::filesystem::path path, UniqueFd processes)
      : m_path(std::move(path)), m_processes(std::move(processes)) {}

  std::filesystem::path m_path;
  UniqueFd m_processes;  // false: moved from
};

}  // namespace faultline
