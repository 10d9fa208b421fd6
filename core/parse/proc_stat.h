// /proc/PID/stat: what Faultline needs of it (proc_pid_stat(5)). Pure; the name points into the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct ProcStat {
  std::uint32_t pid = 0;
  std::string_view name;  // as the kernel has it: blanks, brackets, newlines and broken UTF-8 included
  char state = '?';       // R runs or waits for a CPU, the others do not
  std::uint64_t parentPid = 0;
  bool kernelThread = false;
  std::uint64_t minorFaults = 0;  // of all threads, dead ones included
  std::uint64_t majorFaults = 0;
  std::uint64_t childMinorFaults = 0;  // of children that were waited for, and of those they had waited for
  std::uint64_t childMajorFaults = 0;
  std::uint64_t userTicks = 0;  // of all threads, dead ones included, in 1/sysconf(_SC_CLK_TCK) s
  std::uint64_t systemTicks = 0;
  std::uint64_t threads = 0;
  std::uint64_t startTicks = 0;  // since boot, suspend included
  std::uint64_t virtualBytes = 0;
  std::uint64_t residentPages = 0;  // counted in batches by many kernels: may differ from statm's

  bool operator==(const ProcStat&) const = default;
};

// Everything or nothing: a text cut before the last field needed has no value.
[[nodiscard]] std::optional<ProcStat> parseProcStat(std::string_view text);

}  // namespace faultline
