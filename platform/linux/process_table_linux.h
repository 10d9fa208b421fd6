// ProcessTable: reads every process through kept descriptors of /proc/PID/stat and statm. Not thread-safe, allocates
// only when there are more processes, or longer names, than ever before.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/model/snapshot.h"
#include "core/parse/proc_stat.h"
#include "platform/linux/proc_files_linux.h"

namespace faultline {

struct ProcessTableOptions {
  std::size_t keptFiles = 0;  // at most this many descriptors stay open; processes beyond are opened anew each sweep
  std::uint64_t ticksPerSecond = 100;
  std::uint64_t pageBytes = 4096;
};

class ProcessTable {
 public:
  ProcessTable(ProcFiles& files, ProcessTableOptions options) : m_files(files), m_options(options) {}
  ~ProcessTable();
  ProcessTable(const ProcessTable&) = delete;
  ProcessTable& operator=(const ProcessTable&) = delete;

  // Overwrites `out`, sorted by key. `sinceBoot` is now, suspend included. False if the list of processes could not be
  // read: `out` then lacks those born since the last sweep.
  [[nodiscard]] bool sweep(Nanoseconds sinceBoot, std::vector<ProcessSample>& out);

 private:
  struct Entry {
    std::uint32_t pid = 0;
    int stat = -1;   // -1: not open
    int statm = -1;  // -1: not open, or a kernel thread, which has no memory of its own
    std::uint64_t startTicks = 0;
    std::uint64_t startTime = 0;    // 0: not read yet
    std::uint64_t predecessor = 0;  // start time of the process that had this pid before
    bool gone = false;              // remembered while its pid could be reused within the same tick
  };
  enum class Outcome : std::uint8_t { Read, Skipped, Gone };

  bool list();
  void visit(Entry entry, bool listed, Nanoseconds sinceBoot);
  Outcome read(Entry& entry, ProcessSample& sample);
  Outcome readStat(Entry& entry, ProcStat& stat);
  bool identify(Entry& entry, const ProcStat& stat) const;
  Outcome readMemory(Entry& entry, ProcessValues& values);
  int open(std::uint32_t pid, const char* name);
  void close(Entry& entry);
  [[nodiscard]] std::uint64_t toNanoseconds(std::uint64_t ticks) const;
  ProcessSample& nextSample();

  ProcFiles& m_files;
  ProcessTableOptions m_options;
  std::size_t m_openFiles = 0;
  std::vector<Entry> m_entries;  // sorted by pid
  std::vector<Entry> m_next;     // m_entries of the sweep under way
  std::vector<std::uint32_t> m_pids;
  std::vector<ProcessSample>* m_samples = nullptr;  // of the sweep under way
  std::size_t m_sampled = 0;
  std::array<char, 2048> m_statText{};  // 52 fields of at most 20 digits, and a name
  std::array<char, 256> m_statmText{};
};

}  // namespace faultline
