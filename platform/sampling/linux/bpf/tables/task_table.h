// TaskTable: makes the samples of one sweep from the BPF programs' records of threads and of ended processes. Each
// process has the same key as in /proc, and no counter goes backwards. Of the processes that are born and end between
// two sweeps, only some thousands keep their names. A process that gives its memory back after the report of its end
// lives until the next report; without one, until the sweep no longer visits it. Pure; reuses its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/model/snapshot.h"
#include "platform/sampling/linux/bpf/tables/unnamed_ends.h"
#include "platform/sampling/records/sweep_records.h"

namespace faultline {

// The counts of the programs that are valid now.
struct TaskCounts {
  bool zeroing = false;
  bool faultTime = false;
  bool faultParts = false;
  bool faultEfforts = false;
  bool freeing = false;
  bool reclaim = false;
  bool teardown = false;
};

class TaskTable {
 public:
  explicit TaskTable(std::uint64_t pageBytes, std::uint64_t tick = 10'000'000) : m_pageBytes(pageBytes), m_tick(tick) {}

  // Takes the whole output of the iterator, in place of the previous one.
  void visited(std::span<const std::byte> records);
  // The kernel's sums of processes without a record, read before the sweep.
  void endedUnnamed(std::span<const EndedSum, kEndedSums> sums) { m_unnamed.add(sums); }
  // A process that ended before the sweep or during it.
  void ended(const ProcessRecord& record);
  void sample(const TaskCounts& counts, Snapshot& out);
  [[nodiscard]] std::uint64_t unnamedEnds() const { return m_unnamed.count(); }

 private:
  struct Known {
    std::uint32_t pid = 0;
    std::uint32_t parent = 0;
    bool ended = false;
    std::uint64_t startTime = 0;  // exactly
    std::uint64_t keyTime = 0;
    std::uint64_t minorFaults = 0;
    std::uint64_t majorFaults = 0;
    ProcessTotals totals{};
  };

  [[nodiscard]] ProcessRecord* findAlive(std::uint32_t process);
  void addThread(const ThreadRecord& thread);
  void setMemory(const ProcessRecord& record);
  void settleEnded();
  void awaitRest();
  void keepFewerNames();
  void takeOffVanished();
  [[nodiscard]] bool identify(const ProcessRecord& record, Known& known);
  void describe(const ProcessRecord& record, const Known& known, const TaskCounts& counts, ProcessSample& out) const;

  std::uint64_t m_pageBytes;
  std::uint64_t m_tick;
  std::vector<ProcessRecord> m_alive;    // by pid; `thread` is the sum of all threads
  std::vector<ProcessRecord> m_memory;   // of processes whose first thread has ended
  std::vector<ThreadRecord> m_threads;   // all but first threads
  std::vector<ProcessRecord> m_ended;    // by pid and start
  std::vector<ProcessRecord> m_leaving;  // ended, but expected to be reported again
  UnnamedEnds m_unnamed;
  std::vector<Known> m_before;  // by pid and start, as of the last sweep
  std::vector<Known> m_now;
  std::size_t m_cursor = 0;  // in m_before
};

}  // namespace faultline
