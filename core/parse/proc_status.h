// The fields of /proc/PID/status that Faultline uses (proc_pid_status(5)). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace faultline {

struct ProcIds {
  std::uint32_t real = 0, effective = 0;

  bool operator==(const ProcIds&) const = default;
};

struct ProcStatus {
  std::uint32_t group = 0;                 // Tgid: the process that a thread belongs to
  ProcIds user;                            // Uid
  ProcIds userGroup;                       // Gid
  std::vector<std::uint32_t> otherGroups;  // Groups
  std::uint32_t innerPid = 0;              // the last of NSpid: the pid in the process's own pid namespace
  std::uint64_t blockedSignals = 0;        // SigBlk: signal 1 is the lowest bit
  std::uint64_t capabilities = 0;          // CapPrm

  bool operator==(const ProcStatus&) const = default;
};

// Absent if Tgid, Uid, Gid or NSpid is missing. A process name cannot add lines: the kernel escapes its newlines.
[[nodiscard]] std::optional<ProcStatus> parseProcStatus(std::string_view text);

}  // namespace faultline
