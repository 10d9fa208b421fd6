// /proc/PID/status: what Faultline needs of it (proc_pid_status(5)). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct ProcStatus {
  std::uint32_t group = 0;     // Tgid: the process that a thread belongs to
  std::uint32_t realUser = 0;  // the first of Uid
  std::uint32_t innerPid = 0;  // the last of NSpid: the pid that the process itself sees

  bool operator==(const ProcStatus&) const = default;
};

// Everything or nothing. A name cannot bring lines of its own: the kernel escapes line breaks in it.
[[nodiscard]] std::optional<ProcStatus> parseProcStatus(std::string_view text);

}  // namespace faultline
