// The field table: every number that Faultline measures, one row each. The stream, history, the exports, the columns of
// the tables, the lines of the plots, doctor, the page of qualities and the list in the manual page are made from it.
// To add a metric, append an enumerator with the next free number, add its row, and let a sampler set its value.
#pragma once

#include <array>
#include <cstdint>

#include "core/model/field.h"

namespace faultline {

// An enumerator's value is the metric's number on the wire: explicit, without gaps, never given to another metric.
// Exports list metrics by these numbers. The comments name the sources on Linux; Hello tells those of other systems.
enum class ProcessMetric : std::uint8_t {
  MinorFaults = 0,          // /proc/PID/stat field 10
  MajorFaults = 1,          // /proc/PID/stat field 12
  CommitBytes = 2,          // /proc/PID/statm field 6 (data + stack)
  ResidentBytes = 3,        // /proc/PID/statm field 2
  TouchedPrivateBytes = 4,  // /proc/PID/statm field 2 - field 3 (RssAnon)
  Threads = 5,              // /proc/PID/stat field 20
  // BPF's counters begin when the collector does, or with the process.
  ZeroedBytes = 6,         // allocations that the kernel clears (tracepoint mm_page_alloc), all sizes of page
  ZeroedLargeBytes = 7,    // of those, in large folios (THP and mTHP)
  ZeroingTime = 8,         // never on the wire: readers make it from the two above and what clearing costs
  SampledZeroingTime = 9,  // time in clear_page by sampled instruction pointers
  FaultTime = 10,          // from a fault's first instruction in the kernel to its accounting, waits included
  MajorFaultTime = 11,     // of that, in major faults
  TimedFaults = 12,        // how many faults FaultTime is the time of
  TimedMajorFaults = 13,   // of those, major ones
  ParentPid = 14,          // /proc/PID/stat field 4
  ChildMinorFaults = 15,   // /proc/PID/stat field 11: of children that were waited for, and of theirs
  ChildMajorFaults = 16,   // /proc/PID/stat field 13
  SwappedBytes = 17,  // BPF: mm's rss_stat, MM_SWAPENTS. /proc/PID/status has it as VmSwap and takes too long to read
  // FaultTime's parts, which add up to it: BPF on sched_switch and sched_wakeup.
  FaultTimeOnProcessor = 18,
  FaultTimeWaiting = 19,  // for a processor: runnable, and not running
  FaultTimeBlocked = 20,  // for the disk, a lock, reclaim, compaction
};

// The whole machine, and the collector itself. platform/sampling/nt/quality.cpp tells the sources of Windows.
enum class SystemMetric : std::uint8_t {
  Faults = 0,              // /proc/vmstat pgfault (minor and major together)
  MajorFaults = 1,         // /proc/vmstat pgmajfault
  PagesAllocated = 2,      // /proc/vmstat sum of pgalloc_*
  PagesFreed = 3,          // /proc/vmstat pgfree
  ThpFaultsAllocated = 4,  // /proc/vmstat thp_fault_alloc
  ThpFaultsFallback = 5,   // /proc/vmstat thp_fault_fallback
  CommittedBytes = 6,      // /proc/meminfo Committed_AS
  CommitLimitBytes = 7,    // /proc/meminfo CommitLimit
  FreeBytes = 8,           // /proc/meminfo MemFree
  AvailableBytes = 9,      // /proc/meminfo MemAvailable
  TotalBytes = 10,         // /proc/meminfo MemTotal
  CollectorCpu = 11,       // CPU time the collector itself has used
  MissedDeadlines = 12,    // sweeps that were due and not taken
  DroppedSnapshots = 13,   // snapshots taken but not sent because the reader was slow
  LostExits = 14,          // processes whose totals at their end found no room on the way from the kernel
  ProcessesLeftOut = 15,   // processes of this snapshot that found no room in a frame
  DemandZeroFaults = 16,
  TransitionFaults = 17,
  CopyOnWriteFaults = 18,
  ZeroThreadCycles = 19,    // QueryThreadCycleTime; needs SeDebugPrivilege
  ZeroThreadTime = 20,      // in ticks of the scheduler, about 15.6 ms
  ZeroThreadSwitches = 21,  // how often one of them got a processor
  ZeroThreads = 22,         // how many there are
  ZeroedListBytes = 23,
  FreeListBytes = 24,
  SmallZeroingCost = 25,  // ps for each KiB that the kernel clears in small pages, as measured now and then
  LargeZeroingCost = 26,  // the same in large ones
};

// In the order of the columns on screens: first all rates, then totals and levels.
inline constexpr auto kProcessFields = [] {
  using enum ProcessMetric;
  using enum MetricKind;
  using enum Unit;
  using enum Systems;
  using enum Needs;
  return std::to_array<MetricField<ProcessMetric>>({
      {.metric = MinorFaults,
       .name = "minor_faults",
       .title = "Minor faults",
       .kind = Counter,
       .unit = Count,
       .meaning = "Page faults served from memory, without reading the disk.",
       .kept = true,
       .rate = {.title = "minor/s", .id = 3, .widest = "000.0 k", .width = 8, .importance = 13, .sort = "minor"},
       .level = {.title = "total minor",
                 .id = 7,
                 .widest = "0 000 000 000",
                 .note = "Since the process started.",
                 .width = 14,
                 .importance = 2},
       .line = {Plot::Faults, "minor"}},

      {.metric = MajorFaults,
       .name = "major_faults",
       .title = "Major faults",
       .kind = Counter,
       .unit = Count,
       .meaning = "Page faults that had to wait for the disk.",
       .kept = true,
       .rate = {.title = "major/s", .id = 5, .widest = "000.0 k", .width = 8, .importance = 9, .sort = "major"},
       .level = {.title = "total major",
                 .id = 8,
                 .widest = "000 000",
                 .shown = false,
                 .note = "Since the process started.",
                 .width = 11,
                 .importance = 1},
       .line = {Plot::Faults, "major", true}},

      {.metric = FaultTime,
       .name = "fault_ns",
       .title = "Fault time",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Time the process has spent inside page faults, waiting for the disk included.",
       .needs = Privilege,
       .kept = true,
       .rate = {.title = "fault time/s",
                .id = 14,
                .widest = "000.0 ms",
                .width = 13,
                .importance = 11,
                .sort = "fault-time"},
       .level = {.title = "total fault time",
                 .id = 15,
                 .widest = "00 min 00 s",
                 .note = "Of the faults while somebody looked, since the collector started: others are not timed.",
                 .width = 16,
                 .importance = 3},
       .line = {Plot::Time, "faults"}},

      {.metric = MajorFaultTime,
       .name = "major_fault_ns",
       .title = "Major fault time",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Of the time inside page faults, that in faults which had to wait for the disk.",
       .needs = Privilege,
       .kept = true,
       .line = {Plot::Time, "major"}},

      {.metric = FaultTimeOnProcessor,
       .name = "fault_on_processor_ns",
       .title = "Fault time, running",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Of the time inside page faults, that in which the thread ran on a processor.",
       .systems = Linux,
       .needs = Privilege,
       .level = {.title = "faults on processor",
                 .id = 23,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of the faults while somebody looked, since the collector started."}},

      {.metric = FaultTimeWaiting,
       .name = "fault_waiting_ns",
       .title = "Fault time, waiting",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Of the time inside page faults, that in which the thread could run and waited for a processor.",
       .systems = Linux,
       .needs = Privilege,
       .level = {.title = "faults waiting",
                 .id = 24,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of the faults while somebody looked, since the collector started."}},

      {.metric = FaultTimeBlocked,
       .name = "fault_blocked_ns",
       .title = "Fault time, blocked",
       .kind = Counter,
       .unit = Duration,
       .meaning =
           "Of the time inside page faults, that in which the thread waited for the disk, a lock or free memory.",
       .systems = Linux,
       .needs = Privilege,
       .level = {.title = "faults blocked",
                 .id = 18,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of the faults while somebody looked, since the collector started."}},

      {.metric = ZeroedBytes,
       .name = "zeroed_bytes",
       .title = "Zeroed",
       .kind = Counter,
       .unit = Bytes,
       .meaning = "Memory the kernel has cleared before handing it to the process.",
       .needs = Privilege,
       .kept = true,
       .rate = {.title = "zeroed/s", .id = 9, .widest = "≈ 0.00 GiB", .width = 9, .importance = 10, .sort = "zeroed"},
       .level = {.title = "total zeroed",
                 .id = 17,
                 .widest = "≈ 0.00 GiB",
                 .shown = false,
                 .note = "Since the collector started, or the process if that was later."},
       .line = {Plot::Zeroing, "all"}},

      {ZeroedLargeBytes, "zeroed_large_bytes", "Zeroed, large", Counter, Bytes,
       "Of the memory cleared for the process, that in large pages (THP).", Systems::All, Privilege},
      {.metric = ZeroingTime,
       .name = "zeroing_ns",
       .title = "Zeroing time",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Time the kernel took to clear that memory: bytes times what clearing costs on this machine.",
       .needs = Privilege,
       .kept = true,
       .rate = {.title = "zeroing/s", .id = 16, .widest = "≈ 00.0 ms", .shown = false},
       .line = {Plot::Time, "zeroing"}},

      {.metric = SampledZeroingTime,
       .name = "sampled_zeroing_ns",
       .title = "Zeroing, sampled",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Time in which the processor was caught clearing pages for the process: a second opinion on zeroing "
                  "time, too "
                  "low for small pages.",
       .needs = Privilege,
       .kept = true},

      {.metric = CommitBytes,
       .name = "commit_bytes",
       .title = "Commit",
       .kind = Gauge,
       .unit = Bytes,
       .meaning = "Memory the process has been promised: its writable private mappings and stack, touched or not.",
       .kept = true,
       .level = {.title = "commit", .id = 10, .widest = "≈ 0.00 GiB", .width = 9, .importance = 6, .sort = "commit"},
       .line = {Plot::Memory, "commit"}},

      {.metric = ResidentBytes,
       .name = "resident_bytes",
       .title = "Resident",
       .kind = Gauge,
       .unit = Bytes,
       .meaning = "Memory of the process that is in RAM now, shared pages included.",
       .kept = true,
       .level =
           {.title = "resident", .id = 11, .widest = "≈ 0.00 GiB", .width = 9, .importance = 5, .sort = "resident"},
       .line = {Plot::Memory, "resident"}},

      {.metric = TouchedPrivateBytes,
       .name = "touched_private_bytes",
       .title = "Touched private",
       .kind = Gauge,
       .unit = Bytes,
       .meaning = "Private memory the process has really touched: anonymous pages in RAM.",
       .level = {.title = "touched private", .id = 12, .widest = "≈ 0.00 GiB", .shown = false}},

      {.metric = SwappedBytes,
       .name = "swapped_bytes",
       .title = "Swapped out",
       .kind = Gauge,
       .unit = Bytes,
       .meaning = "Private memory of the process that is in swap: each page costs a major fault when it is used again.",
       .systems = Linux,
       .needs = Privilege,
       .kept = true,
       .level = {.title = "swapped out",
                 .id = 22,
                 .widest = "≈ 0.00 GiB",
                 .shown = false,
                 .width = 12,
                 .importance = 0,
                 .sort = "swapped"}},

      {.metric = Threads,
       .name = "threads",
       .title = "Threads",
       .kind = Gauge,
       .unit = Count,
       .meaning = "Threads of the process.",
       .level = {.title = "threads", .id = 13, .widest = "0 000", .shown = false}},

      {TimedFaults, "timed_faults", "Timed faults", Counter, Count,
       "Page faults whose time was measured; where the kernel tells of them, pages populated in advance are "
       "included.",
       Systems::All, Privilege},
      {TimedMajorFaults, "timed_major_faults", "Timed major faults", Counter, Count,
       "Of the page faults whose time was measured, those that had to wait for the disk.", Systems::All, Privilege},
      {ParentPid, "parent_pid", "Parent", Gauge, Count, "The process that started this one, while that lives."},
      {ChildMinorFaults, "child_minor_faults", "Children's minor faults", Counter, Count,
       "Minor faults of processes that this one has started and waited for, and of those that they did, once they "
       "ended.",
       Linux},
      {ChildMajorFaults, "child_major_faults", "Children's major faults", Counter, Count,
       "Major faults of processes that this one has started and waited for, and of those that they did, once they "
       "ended.",
       Linux},
  });
}();

inline constexpr auto kSystemFields = [] {
  using enum SystemMetric;
  using enum MetricKind;
  using enum Unit;
  using enum Systems;
  return std::to_array<MetricField<SystemMetric>>({
      {Faults, "system_faults", "Faults", Counter, Count, "Page faults of all processes, minor and major."},
      {MajorFaults, "system_major_faults", "Major faults", Counter, Count,
       "Page faults of all processes that had to wait for the disk."},
      {PagesAllocated, "pages_allocated", "Pages allocated", Counter, Count,
       "Pages the kernel has taken from its free lists.", Linux},
      {PagesFreed, "pages_freed", "Pages freed", Counter, Count, "Pages the kernel has given back.", Linux},
      {ThpFaultsAllocated, "thp_faults_allocated", "THP faults", Counter, Count,
       "Faults that were served with one transparent huge page.", Linux},
      {ThpFaultsFallback, "thp_faults_fallback", "THP fallbacks", Counter, Count,
       "Faults that wanted a transparent huge page and got small ones.", Linux},
      {CommittedBytes, "committed_bytes", "Committed", Gauge, Bytes, "Memory promised to all processes."},
      {CommitLimitBytes, "commit_limit_bytes", "Commit limit", Gauge, Bytes,
       "How much memory the system may promise under strict accounting."},
      {FreeBytes, "free_bytes", "Free", Gauge, Bytes, "Memory in no use at all."},
      {AvailableBytes, "available_bytes", "Available", Gauge, Bytes,
       "Memory that programs can still get without swapping."},
      {TotalBytes, "total_bytes", "Memory", Gauge, Bytes, "Memory of this machine."},
      {CollectorCpu, "collector_cpu_ns", "Collector CPU", Counter, Duration,
       "Processor time that Faultline's collector itself has used."},
      {MissedDeadlines, "missed_deadlines", "Missed", Counter, Count, "Samples that were due and not taken."},
      {DroppedSnapshots, "dropped_snapshots", "Dropped", Counter, Count,
       "Samples taken but not sent because the reader was too slow."},
      {LostExits, "lost_exits", "Lost exits", Counter, Count, "Processes that ended too fast to be told one by one.",
       Linux},
      {ProcessesLeftOut, "processes_left_out", "Left out", Gauge, Count,
       "Processes of this sample that found no room in the stream."},
      {DemandZeroFaults, "demand_zero_faults", "Demand-zero faults", Counter, Count,
       "Page faults of all processes that were served with a zeroed page.", Windows},
      {TransitionFaults, "transition_faults", "Transition faults", Counter, Count,
       "Page faults of all processes served with a page that was in memory, but in no working set.", Windows},
      {CopyOnWriteFaults, "copy_on_write_faults", "Copy-on-write faults", Counter, Count,
       "Page faults of all processes that wrote to a shared page and were given a copy.", Windows},
      {ZeroThreadCycles, "zero_thread_cycles", "Zeroing cycles", Counter, Count,
       "Processor cycles of the threads that zero free pages in the background.", Windows},
      {ZeroThreadTime, "zero_thread_ns", "Zeroing threads' time", Counter, Duration,
       "Processor time of the threads that zero free pages in the background.", Windows},
      {ZeroThreadSwitches, "zero_thread_switches", "Zeroing wake-ups", Counter, Count,
       "How often a thread that zeroes free pages in the background was given a processor.", Windows},
      {ZeroThreads, "zero_threads", "Zeroing threads", Gauge, Count, "Threads that zero free pages in the background.",
       Windows},
      {ZeroedListBytes, "zeroed_list_bytes", "Zeroed list", Gauge, Bytes, "Free memory that has been zeroed already.",
       Windows},
      {FreeListBytes, "free_list_bytes", "Free list", Gauge, Bytes, "Free memory that nobody has zeroed yet.", Windows},
      {SmallZeroingCost, "small_zeroing_ps_per_kib", "Cost of zeroing", Gauge, Count,
       "Picoseconds that clearing a KiB of small pages takes here.", Linux},
      {LargeZeroingCost, "large_zeroing_ps_per_kib", "Cost of zeroing, large", Gauge, Count,
       "Picoseconds that clearing a KiB of large pages takes here.", Linux},
  });
}();

}  // namespace faultline
