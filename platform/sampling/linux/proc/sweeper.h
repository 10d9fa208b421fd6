// ProcSweeper: samples all processes of /proc, each under a unique key. Not thread-safe; allocates only for more
// processes, or longer names, than ever before.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/snapshot.h"
#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/sampling/linux/proc/process_reader.h"

namespace faultline {

// A process that seems unchanged is read completely at least every 16 sweeps.
constexpr std::uint32_t kSweepsPerWholeRead = 16;

class ProcSweeper {
 public:
  ProcSweeper(ProcFiles& files, ProcessReaderOptions options) : m_files(files), m_reader(files, options) {}
  ~ProcSweeper();
  ProcSweeper(const ProcSweeper&) = delete;
  ProcSweeper& operator=(const ProcSweeper&) = delete;

  // Overwrites `out`, sorted by key. `sinceBoot` is the present time, suspend included. False if /proc could not be
  // listed: `out` then lacks processes started since the last sweep.
  [[nodiscard]] bool sweep(Nanoseconds sinceBoot, std::vector<ProcessSample>& out);

 private:
  struct Entry {
    KeptProcess process;
    bool gone = false;  // ended; kept while the pid could be reused within the same tick
  };

  bool list();
  void visit(Entry entry, bool listed, Nanoseconds sinceBoot);
  ProcessSample& nextSample();

  ProcFiles& m_files;
  ProcessReader m_reader;
  std::vector<Entry> m_entries;  // sorted by pid
  std::vector<Entry> m_next;     // the next m_entries, during a sweep
  std::vector<std::uint32_t> m_pids;
  std::uint32_t m_sweeps = 0;
  std::vector<ProcessSample>* m_samples = nullptr;  // `out`, during a sweep
  std::size_t m_sampled = 0;
};

}  // namespace faultline
