// ProcessReader: reads a process through kept descriptors of /proc/PID/stat, statm and schedstat, and skips files that
// cannot have changed since the last read.
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

struct ProcessReaderOptions {
  std::size_t keptFiles = 0;  // most descriptors to keep open; further processes are opened again in each sweep
  std::uint64_t ticksPerSecond = 100;
  std::uint64_t pageBytes = 4096;
};

struct KeptProcess {
  std::uint32_t pid = 0;
  int stat = -1;       // -1: not open
  int statm = -1;      // -1: not open, or a kernel thread, which has no memory of its own
  int schedstat = -1;  // -1: not open, or not provided by the kernel
  std::uint64_t startTicks = 0;
  std::uint64_t startTime = 0;           // 0: not read yet
  std::uint64_t predecessor = 0;         // start time of the process that had this pid before
  std::optional<ProcSchedstat> slept{};  // schedstat when last seen asleep; absent: not known
  std::optional<ProcStat> seen{};        // stat when statm was last read, without the name
  ProcessSample last{};
};

class ProcessReader {
 public:
  ProcessReader(ProcFiles& files, ProcessReaderOptions options) : m_files(files), m_options(options) {}

  // Skipped: cannot be read now. Gone: the process has ended, or its pid belongs to another process.
  enum class Outcome : std::uint8_t { Read, Skipped, Gone };

  // `whole`: read all files, whether they can have changed or not.
  [[nodiscard]] Outcome read(KeptProcess& process, bool whole, ProcessSample& out);
  void close(KeptProcess& process);
  [[nodiscard]] std::uint64_t toNanoseconds(std::uint64_t ticks) const;

 private:
  [[nodiscard]] std::optional<ProcSchedstat> readSchedstat(const KeptProcess& process);
  [[nodiscard]] Outcome readStat(KeptProcess& process, ProcStat& stat);
  [[nodiscard]] Outcome openOthers(KeptProcess& process, ProcStat& stat);
  [[nodiscard]] bool identify(KeptProcess& process, const ProcStat& stat) const;
  [[nodiscard]] Outcome readMemory(KeptProcess& process, ProcStat stat, bool whole, ProcessValues& values);
  [[nodiscard]] int openOf(std::uint32_t pid, const char* name);

  ProcFiles& m_files;
  ProcessReaderOptions m_options;
  std::size_t m_openFiles = 0;
  std::array<char, 2048> m_statText{};  // 52 fields of at most 20 digits, and a name
  std::array<char, 256> m_shortText{};
  std::vector<std::uint32_t> m_threads;
};

}  // namespace faultline
