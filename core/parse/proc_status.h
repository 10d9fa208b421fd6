// The fields of /proc/PID/status that Faultline uses (proc_pid_status(5)). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct ProcStatus {
  std::uint32_t group = 0;     // Tgid: the process that a thread belongs to
  std::uint32_t realUser = 0;  // the first of Uid
  std::uint32_t innerPid = 0;  // the last of NSpid: the pid in the process's own pid namespace

  bool operator==(const ProcStatus&) const = default;
};

// Absent if any field is missing. A process name cannot add lines: the kernel escapes its newlines.
[[nodiscard]] std::optional<ProcStatus> parseProcStatus(std::string_view text);

}  // namespace faultline
