// TaskTable: makes the samples of one sweep out of what the BPF programs tell of threads and of processes that ended.
// Each process has the key it has in /proc, and no counter ever goes backwards. Of those that are born and end between
// two sweeps, only some thousands keep their names. Pure; reuses its memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/model/snapshot.h"
#include "platform/sampling/linux/bpf/unnamed_ends.h"
#include "platform/sampling/records/sweep_records.h"

namespace faultline {

// Which of the programs' own counts are worth passing on now.
struct TaskCounts {
  bool zeroing = false;
  bool faultTime = false;
  bool faultParts = false;
};

class TaskTable {
 public:
  explicit TaskTable(std::uint64_t pageBytes, std::uint64_t tick = 10'000'000) : m_pageBytes(pageBytes), m_tick(tick) {}

  // What the iterator gave, whole; overwrites what was there.
  void visited(std::span<const std::byte> records);
  // The kernel's sums of those for whom it had no room, from before that.
  void endedUnnamed(std::span<const EndedSum, kEndedSums> sums) { m_unnamed.add(sums); }
  // Those who ended until after that.
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
  void keepFewerNames();
  void takeOffVanished();
  [[nodiscard]] bool identify(const ProcessRecord& record, Known& known);
  void describe(const ProcessRecord& record, const Known& known, const TaskCounts& counts, ProcessSample& out) const;

  std::uint64_t m_pageBytes;
  std::uint64_t m_tick;
  std::vector<ProcessRecord> m_alive;   // by pid; `thread` is the sum of all threads
  std::vector<ProcessRecord> m_memory;  // of processes whose first thread has ended
  std::vector<ThreadRecord> m_threads;  // the other ones
  std::vector<ProcessRecord> m_ended;   // by pid and start
  UnnamedEnds m_unnamed;
  std::vector<Known> m_before;  // by pid and start, as of the last sweep
  std::vector<Known> m_now;
  std::size_t m_cursor = 0;  // in m_before
};

}  // namespace faultline
