// The fields of /proc/PID/stat that Faultline uses (proc_pid_stat(5)). Pure; the name is a view into the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct ProcStat {
  std::uint32_t pid = 0;
  std::string_view name;  // the kernel's bytes: may contain blanks, brackets, newlines and invalid UTF-8
  char state = '?';       // R: running or waiting for a CPU
  std::uint64_t parentPid = 0;
  bool kernelThread = false;
  std::uint64_t minorFaults = 0;  // of all threads, exited ones included
  std::uint64_t majorFaults = 0;
  std::uint64_t childMinorFaults = 0;  // of children that were waited for, and of the children that those waited for
  std::uint64_t childMajorFaults = 0;
  std::uint64_t userTicks = 0;  // of all threads, exited ones included, in 1/sysconf(_SC_CLK_TCK) s
  std::uint64_t systemTicks = 0;
  std::uint64_t threads = 0;
  std::uint64_t startTicks = 0;  // 1/sysconf(_SC_CLK_TCK) s since boot, suspend included
  std::uint64_t virtualBytes = 0;
  std::uint64_t residentPages = 0;  // many kernels update it in batches: may differ from statm's

  bool operator==(const ProcStat&) const = default;
};

// Absent if the text ends before the last field used.
[[nodiscard]] std::optional<ProcStat> parseProcStat(std::string_view text);

}  // namespace faultline
