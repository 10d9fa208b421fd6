// ProcessReader: reads one process through kept descriptors of /proc/PID/stat, statm and schedstat, and only as much of
// it as can have changed since it was last read.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/model/snapshot.h"
#include "core/parse/proc_schedstat.h"
#include "core/parse/proc_stat.h"
#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline {

struct ProcessTableOptions {
  std::size_t keptFiles = 0;  // at most this many descriptors stay open; processes beyond are opened anew each sweep
  std::uint64_t ticksPerSecond = 100;
  std::uint64_t pageBytes = 4096;
};

struct KeptProcess {
  std::uint32_t pid = 0;
  int stat = -1;       // -1: not open
  int statm = -1;      // -1: not open, or a kernel thread, which has no memory of its own
  int schedstat = -1;  // -1: not open, or there is none
  std::uint64_t startTicks = 0;
  std::uint64_t startTime = 0;           // 0: not read yet
  std::uint64_t predecessor = 0;         // start time of the process that had this pid before
  std::optional<ProcSchedstat> slept{};  // it still sleeps if schedstat says this; nothing: that cannot be told
  std::optional<ProcStat> seen{};        // when statm was last read, without the name
  ProcessSample last{};
};

class ProcessReader {
 public:
  ProcessReader(ProcFiles& files, ProcessTableOptions options) : m_files(files), m_options(options) {}

  // Skipped: cannot be read now. Gone: that process has died, or the pid is another's by now.
  enum class Outcome : std::uint8_t { Read, Skipped, Gone };

  // `whole`: read it all, whether it has moved or not.
  [[nodiscard]] Outcome read(KeptProcess& process, bool whole, ProcessSample& out);
  void close(KeptProcess& process);
  [[nodiscard]] std::uint64_t toNanoseconds(std::uint64_t ticks) const;

 private:
  [[nodiscard]] std::optional<ProcSchedstat> readSchedstat(const KeptProcess& process);
  [[nodiscard]] Outcome readStat(KeptProcess& process, ProcStat& stat);
  [[nodiscard]] Outcome openOthers(KeptProcess& process, ProcStat& stat);
  [[nodiscard]] bool identify(KeptProcess& process, const ProcStat& stat) const;
  [[nodiscard]] Outcome readMemory(KeptProcess& process, ProcStat stat, bool whole, ProcessValues& values);
  [[nodiscard]] std::ptrdiff_t readOfThread(std::uint32_t pid);
  [[nodiscard]] int open(std::uint32_t pid, const char* name);

  ProcFiles& m_files;
  ProcessTableOptions m_options;
  std::size_t m_openFiles = 0;
  std::array<char, 2048> m_statText{};  // 52 fields of at most 20 digits, and a name
  std::array<char, 256> m_shortText{};
  std::vector<std::uint32_t> m_threads;
};

}  // namespace faultline
