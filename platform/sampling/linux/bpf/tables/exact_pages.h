// ExactPages: memory of processes from /proc/PID/statm, if that is exact, because BPF's counts lag. Each sweep reads
// some files, of the processes with most faults since they were last read; a process whose counts stand still keeps its
// values.
#pragma once

#include <cstdint>
#include <vector>

#include "core/model/snapshot.h"
#include "platform/sampling/linux/facts/proc_files.h"

namespace faultline {

class ExactPages {
 public:
  ExactPages(ProcFiles& files, std::uint64_t pageBytes) : m_files(files), m_pageBytes(pageBytes) {}

  static constexpr std::size_t kReadAtOnce = 64;

  // Replaces BPF's counts of the processes, which are sorted by key.
  void correct(std::vector<ProcessSample>& processes);

 private:
  struct Known {
    ProcessKey key;
    std::uint64_t faults = 0;    // when statm was read; memory may have changed with these two
    std::uint64_t lagging = 0;   // resident bytes by BPF
    std::uint64_t resident = 0;  // by statm; 0: not read yet
    std::uint64_t residentAnon = 0;
  };
  struct Stale {
    std::size_t place = 0;  // in the samples
    std::uint64_t moved = 0;
  };

  void follow(const std::vector<ProcessSample>& processes);
  void read(const ProcessSample& process, Known& known);

  ProcFiles& m_files;
  std::uint64_t m_pageBytes;
  std::vector<Known> m_known;  // one per sample
  std::vector<Known> m_before;
  std::vector<Stale> m_stale;
  std::vector<std::uint32_t> m_threads;
};

}  // namespace faultline
