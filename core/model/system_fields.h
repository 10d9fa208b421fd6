// The part of the field table (fields.h) for the numbers of the machine and of the collector.
#pragma once

#include <array>
#include <cstdint>

#include "core/model/field.h"

namespace faultline {

// The whole machine, and the collector. platform/sampling/nt/quality.cpp names the sources on Windows.
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
  CollectorCpu = 11,       // CPU time used by the collector
  MissedDeadlines = 12,    // sweeps that were due and not taken
  DroppedSnapshots = 13,   // snapshots taken but not sent because the reader was slow
  LostExits = 14,          // processes whose final totals found no room of their own on the way from the kernel
  ProcessesLeftOut = 15,   // processes of this snapshot that found no room in a packet
  DemandZeroFaults = 16,
  TransitionFaults = 17,
  CopyOnWriteFaults = 18,
  ZeroThreadCycles = 19,    // QueryThreadCycleTime; needs SeDebugPrivilege
  ZeroThreadTime = 20,      // in ticks of the scheduler, about 15.6 ms
  ZeroThreadSwitches = 21,  // number of times that one of them got a processor
  ZeroThreads = 22,         // number of threads
  ZeroedListBytes = 23,
  FreeListBytes = 24,
  SmallZeroingCost = 25,  // ps per KiB that the kernel clears in small pages, measured now and then
  LargeZeroingCost = 26,  // the same in large pages
  SkippedRuns = 27,       // BPF: recursion_misses of the sweep's programs
  SystemProcessCycles = 28,
  CyclesPerSecond = 29,
  SweepInterval = 30,  // absent in older streams: Hello's
};

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
       "Faults that got small pages in place of a transparent huge page.", Linux},
      {CommittedBytes, "committed_bytes", "Committed", Gauge, Bytes, "Memory promised to all processes."},
      {CommitLimitBytes, "commit_limit_bytes", "Commit limit", Gauge, Bytes,
       "Most memory that the system may promise under strict accounting."},
      {FreeBytes, "free_bytes", "Free", Gauge, Bytes, "Memory not used at all."},
      {AvailableBytes, "available_bytes", "Available", Gauge, Bytes,
       "Memory that programs can still get without swapping."},
      {TotalBytes, "total_bytes", "Memory", Gauge, Bytes, "Memory of this machine."},
      {CollectorCpu, "collector_cpu_ns", "Collector CPU", Counter, Duration,
       "Processor time used by Faultline's collector."},
      {SweepInterval, "sweep_interval_ns", "Interval", Gauge, Duration,
       "Time between this sample and the one before, as it was planned."},
      {MissedDeadlines, "missed_deadlines", "Missed", Counter, Count, "Samples that were due and not taken."},
      {DroppedSnapshots, "dropped_snapshots", "Dropped", Counter, Count,
       "Samples taken but not sent because the reader was too slow."},
      {LostExits, "lost_exits", "Lost exits", Counter, Count, "Processes that ended too fast to be listed one by one.",
       Linux},
      {SkippedRuns, "skipped_runs", "Skipped runs", Counter, Count,
       "Events that a program of Faultline in the kernel did not see: the kernel had preempted the same program.",
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
       "Times that a thread that zeroes free pages in the background got a processor.", Windows},
      {ZeroThreads, "zero_threads", "Zeroing threads", Gauge, Count, "Threads that zero free pages in the background.",
       Windows},
      {ZeroedListBytes, "zeroed_list_bytes", "Zeroed list", Gauge, Bytes, "Free memory that has been zeroed already.",
       Windows},
      {FreeListBytes, "free_list_bytes", "Free list", Gauge, Bytes, "Free memory that has not been zeroed yet.",
       Windows},
      {SystemProcessCycles, "system_process_cycles", "System's cycles", Counter, Count,
       "Processor cycles of all threads of the process System, which has the zeroing threads: their upper bound.",
       Windows},
      {CyclesPerSecond, "cycles_per_second", "Cycles per second", Gauge, Count,
       "Processor cycles counted in a second of running.", Windows},
      {SmallZeroingCost, "small_zeroing_ps_per_kib", "Cost of zeroing", Gauge, Count,
       "Picoseconds to clear a KiB of small pages on this machine.", Linux},
      {LargeZeroingCost, "large_zeroing_ps_per_kib", "Cost of zeroing, large", Gauge, Count,
       "Picoseconds to clear a KiB of large pages on this machine.", Linux},
  });
}();

}  // namespace faultline
