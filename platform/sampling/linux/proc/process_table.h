// ProcessTable: every process there is, sweep after sweep, each under a key of its own. Not thread-safe, allocates only
// when there are more processes, or longer names, than ever before.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/snapshot.h"
#include "platform/sampling/linux/facts/proc_files.h"
#include "platform/sampling/linux/proc/process_reader.h"

namespace faultline {

// A process that does not seem to have moved is read again at the latest after so many sweeps.
constexpr std::uint32_t kSweepsPerWholeRead = 16;

class ProcessTable {
 public:
  ProcessTable(ProcFiles& files, ProcessTableOptions options) : m_files(files), m_reader(files, options) {}
  ~ProcessTable();
  ProcessTable(const ProcessTable&) = delete;
  ProcessTable& operator=(const ProcessTable&) = delete;

  // Overwrites `out`, sorted by key. `sinceBoot` is now, suspend included. False if the list of processes could not be
  // read: `out` then lacks those born since the last sweep.
  [[nodiscard]] bool sweep(Nanoseconds sinceBoot, std::vector<ProcessSample>& out);

 private:
  struct Entry {
    KeptProcess process;
    bool gone = false;  // remembered while its pid could be reused within the same tick
  };

  bool list();
  void visit(Entry entry, bool listed, Nanoseconds sinceBoot);
  ProcessSample& nextSample();

  ProcFiles& m_files;
  ProcessReader m_reader;
  std::vector<Entry> m_entries;  // sorted by pid
  std::vector<Entry> m_next;     // m_entries of the sweep under way
  std::vector<std::uint32_t> m_pids;
  std::uint32_t m_sweeps = 0;
  std::vector<ProcessSample>* m_samples = nullptr;  // of the sweep under way
  std::size_t m_sampled = 0;
};

}  // namespace faultline
