// The field table: one row for every number that Faultline measures. Stream, history, exports, columns of tables, lines
// of plots, doctor, the quality page and the list in the manual page follow this table.
// To add a metric, append an enumerator with the next free number, add its row, and let a sampler set its value.
#pragma once

#include <array>
#include <cstdint>

#include "core/model/field.h"
#include "core/model/system_fields.h"

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
  ZeroingTime = 8,         // never on the wire: readers derive it from the two above and the cost of clearing
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
       .meaning = "Time the process has spent inside page faults, including waits for the disk.",
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
                 .note = "Since the collector started. Faults are timed only while Faultline is on show or records.",
                 .width = 16,
                 .importance = 3},
       .line = {Plot::Time, "faults"}},

      {.metric = MajorFaultTime,
       .name = "major_fault_ns",
       .title = "Major fault time",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Part of the fault time: faults that had to wait for the disk.",
       .needs = Privilege,
       .kept = true,
       .line = {Plot::Time, "major"}},

      {.metric = FaultTimeOnProcessor,
       .name = "fault_on_processor_ns",
       .title = "Fault time, running",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Part of the fault time: the thread ran on a processor.",
       .systems = Linux,
       .needs = Privilege,
       .kept = true,
       .level = {.title = "faults on processor",
                 .id = 23,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of faults timed since the collector started."}},

      {.metric = FaultTimeWaiting,
       .name = "fault_waiting_ns",
       .title = "Fault time, waiting",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Part of the fault time: the thread could run and waited for a processor.",
       .systems = Linux,
       .needs = Privilege,
       .kept = true,
       .level = {.title = "faults waiting",
                 .id = 24,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of faults timed since the collector started."}},

      {.metric = FaultTimeBlocked,
       .name = "fault_blocked_ns",
       .title = "Fault time, blocked",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Part of the fault time: the thread waited for the disk, a lock or another process.",
       .systems = Linux,
       .needs = Privilege,
       .kept = true,
       .level = {.title = "faults blocked",
                 .id = 18,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of faults timed since the collector started."}},

      {.metric = FaultTimeOnDisk,
       .name = "fault_disk_ns",
       .title = "Fault time, disk",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Part of the blocked fault time: the thread waited for the disk.",
       .systems = Linux,
       .needs = Privilege,
       .level = {.title = "faults on disk",
                 .id = 31,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of faults timed since the collector started."}},

      {.metric = FaultTimeInReclaim,
       .name = "fault_reclaim_ns",
       .title = "Fault time, reclaim",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Part of the fault time: the thread first took memory away from others, running and waiting.",
       .systems = Linux,
       .needs = Privilege,
       .level = {.title = "faults in reclaim",
                 .id = 32,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of faults timed since the collector started."}},

      {.metric = FaultTimeInCompaction,
       .name = "fault_compaction_ns",
       .title = "Fault time, compaction",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Part of the fault time: the thread first moved memory to make room for a large page.",
       .systems = Linux,
       .needs = Privilege,
       .level = {.title = "faults in compaction",
                 .id = 33,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Of faults timed since the collector started."}},

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
                 .note = "Since the collector started or, if later, the process."},
       .line = {Plot::Zeroing, "all"}},

      {ZeroedLargeBytes, "zeroed_large_bytes", "Zeroed, large", Counter, Bytes,
       "Part of the zeroed memory: large pages (THP).", Systems::All, Privilege},
      {.metric = ZeroingTime,
       .name = "zeroing_ns",
       .title = "Zeroing time",
       .kind = Counter,
       .unit = Duration,
       .meaning = "Time the kernel took to clear the zeroed memory: its size times the cost measured on this machine.",
       .needs = Privilege,
       .kept = true,
       .rate = {.title = "zeroing/s", .id = 16, .widest = "≈ 00.0 ms", .shown = false},
       .line = {Plot::Time, "zeroing"}},

      {.metric = SampledZeroingTime,
       .name = "sampled_zeroing_ns",
       .title = "Zeroing, sampled",
       .kind = Counter,
       .unit = Duration,
       .meaning =
           "Time spent clearing pages for the process, by samples of the processors: a check of zeroing time, too "
           "low for small pages.",
       .needs = Privilege,
       .kept = true},

      {.metric = FreedBytes,
       .name = "freed_bytes",
       .title = "Freed",
       .kind = Counter,
       .unit = Bytes,
       .meaning = "Memory the process has given back to the kernel, by unmapping or discarding it or by its end.",
       .systems = Linux,
       .needs = Privilege,
       .kept = true,
       .rate = {.title = "freed/s",
                .id = 25,
                .widest = "≈ 0.00 GiB",
                .shown = false,
                .width = 9,
                .importance = -1,
                .sort = "freed"},
       .level = {.title = "total freed",
                 .id = 26,
                 .widest = "≈ 0.00 GiB",
                 .shown = false,
                 .note = "Since the collector started or, if later, the process."},
       .line = {Plot::Zeroing, "freed"}},

      {.metric = DiscardedBytes,
       .name = "discarded_bytes",
       .title = "Freed, discarded",
       .kind = Counter,
       .unit = Bytes,
       .meaning =
           "Part of the freed memory: given back by madvise or brk, as free() and garbage collectors do; the rest "
           "was unmapped.",
       .systems = Linux,
       .needs = Privilege,
       .level = {.title = "total discarded",
                 .id = 29,
                 .widest = "≈ 0.00 GiB",
                 .shown = false,
                 .note = "Since the collector started or, if later, the process."}},

      {.metric = TeardownTime,
       .name = "teardown_ns",
       .title = "Giving back",
       .kind = Counter,
       .unit = Duration,
       .meaning =
           "Time in which the kernel took memory away from the process: munmap, madvise, mremap, brk, exec, exit.",
       .systems = Linux,
       .needs = Privilege,
       .kept = true,
       .rate = {.title = "giving back/s",
                .id = 27,
                .widest = "≈ 000.0 ms",
                .width = 13,
                .importance = -2,
                .sort = "giving-back"},
       .level = {.title = "total giving back",
                 .id = 28,
                 .widest = "00 min 00 s",
                 .shown = false,
                 .note = "Since the collector started or, if later, the process."},
       .line = {Plot::Time, "giving back"}},

      {.metric = ReclaimedBytes,
       .name = "reclaimed_bytes",
       .title = "Reclaimed",
       .kind = Counter,
       .unit = Bytes,
       .meaning = "Memory of any process or file that this process had to free for the kernel before it got memory.",
       .systems = Linux,
       .needs = Privilege,
       .kept = true,
       .level = {.title = "total reclaimed",
                 .id = 30,
                 .widest = "≈ 0.00 GiB",
                 .shown = false,
                 .note = "Since the collector started or, if later, the process."}},

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
       .meaning = "Private memory of the process in swap. The next use of each page costs a major fault.",
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
       "Page faults whose time was measured, including pages populated in advance where the kernel reports them.",
       Systems::All, Privilege},
      {TimedMajorFaults, "timed_major_faults", "Timed major faults", Counter, Count,
       "Page faults that had to wait for the disk and whose time was measured.", Systems::All, Privilege},
      {ParentPid, "parent_pid", "Parent", Gauge, Count,
       "Pid of the process that started this process, while it lives."},
      {ChildMinorFaults, "child_minor_faults", "Children's minor faults", Counter, Count,
       "Minor faults of ended children that the process has waited for, and of the children that those waited for.",
       Linux},
      {ChildMajorFaults, "child_major_faults", "Children's major faults", Counter, Count,
       "Major faults of ended children that the process has waited for, and of the children that those waited for.",
       Linux},
  });
}();

}  // namespace faultline
