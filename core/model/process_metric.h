// ProcessMetric: the numbers of a process.
#pragma once

#include <cstdint>

namespace faultline {

// An enumerator's value is the metric's number on the wire: explicit, without gaps, never reused. Exports list metrics
// in this order. The comments name the sources on Linux; Hello gives those of other systems.
enum class ProcessMetric : std::uint8_t {
  MinorFaults = 0,          // /proc/PID/stat field 10
  MajorFaults = 1,          // /proc/PID/stat field 12
  CommitBytes = 2,          // /proc/PID/statm field 6 (data + stack)
  ResidentBytes = 3,        // /proc/PID/statm field 2
  TouchedPrivateBytes = 4,  // /proc/PID/statm field 2 - field 3 (RssAnon)
  Threads = 5,              // /proc/PID/stat field 20
  // Counters of BPF begin with the collector or, if later, with the process.
  ZeroedBytes = 6,         // allocations that the kernel clears (tracepoint mm_page_alloc), pages of all sizes
  ZeroedLargeBytes = 7,    // of those, in large folios (THP and mTHP)
  ZeroingTime = 8,         // never on the wire: readers derive it, as stream/format.md says
  SampledZeroingTime = 9,  // time in clear_page by sampled instruction pointers
  FaultTime = 10,          // from a fault's first instruction in the kernel to its accounting, waits included
  MajorFaultTime = 11,     // of that, in major faults
  TimedFaults = 12,        // number of faults in FaultTime
  TimedMajorFaults = 13,   // of those, major ones
  ParentPid = 14,          // /proc/PID/stat field 4
  ChildMinorFaults = 15,   // /proc/PID/stat field 11: of children that were waited for, and of their descendants
  ChildMajorFaults = 16,   // /proc/PID/stat field 13
  SwappedBytes = 17,       // BPF: mm's rss_stat, MM_SWAPENTS; VmSwap in /proc/PID/status takes too long to read
  // The parts of FaultTime, which add up to it: BPF on sched_switch and sched_wakeup.
  FaultTimeOnProcessor = 18,
  FaultTimeWaiting = 19,  // for a processor: runnable, but not running
  FaultTimeBlocked = 20,  // for the disk, a lock or another process
  // Parts of these parts.
  FaultTimeOnDisk = 21,        // of the blocked time: in_iowait of the thread as it leaves its processor
  FaultTimeInReclaim = 22,     // of all parts: between mm_vmscan_direct_reclaim_begin (memcg_reclaim_begin) and end
  FaultTimeInCompaction = 23,  // of all parts: between mm_compaction_begin and end
  // Giving memory back: BPF on mm_page_free, and from tlb_gather_mmu to tlb_finish_mmu.
  FreedBytes = 24,
  TeardownTime = 25,
  DiscardedBytes = 26,  // of FreedBytes
  ReclaimedBytes = 27,  // BPF on mm_vmscan_direct_reclaim_end and mm_vmscan_memcg_reclaim_end
  Mappings = 28,        // BPF: mm->map_count; the lines of /proc/PID/maps take too long to read
  // BPF: from mm_page_alloc of a large folio to the end of the fault that asked for it, without waits; or the whole
  // fault (kernel/sweep/faults.h).
  LargeZeroingTime = 29,
};

}  // namespace faultline
