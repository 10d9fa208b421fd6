// The table of a frame's numbers: one row for each. Stream, recordings, history in memory, joining of marks, exports
// and qualities follow it. To add a number, append an enumerator, add its row, and let a watch set its value in the
// marks (FrameMark).
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string_view>

#include "core/model/field.h"

namespace faultline {

// An enumerator's value is the number's bit on the wire: never reused. "Thread": of the thread that ended the frame,
// absent unless it also ended the frame before. The others are of all threads of the game together.
enum class FrameMetric : std::uint8_t {
  ThreadMinorFaults = 0,
  ThreadMajorFaults = 1,
  ZeroedBytes = 2,
  FaultTime = 3,
  ThreadZeroedBytes = 4,
  ThreadFaultTime = 5,
  TimedFaults = 6,  // number of faults in FaultTime; absent if all were timed
  // The parts of FaultTime, which add up to it; all of them are known, or none.
  FaultTimeOnProcessor = 7,
  FaultTimeWaiting = 8,  // for a processor
  FaultTimeBlocked = 9,  // waiting for the disk, a lock, reclaim, compaction
  // How the thread spent its time besides running; all of it is known, or nothing.
  ThreadFaultTimeOnProcessor = 10,
  ThreadFaultTimeWaiting = 11,
  ThreadFaultTimeBlocked = 12,
  ThreadWaiting = 13,   // for a processor, outside faults
  ThreadSleeping = 14,  // or blocked, outside faults
  // Time in which the kernel took pages away (munmap, madvise, mremap, brk); without waits, where ThreadWaiting is
  // known.
  TeardownTime = 15,
  ThreadTeardownTime = 16,
  // See FrameDelay.
  Delay = 17,
  ThreadDelay = 18,
  ThreadFutexTime = 19,
  DelayStretch = 20,
  // On the wire both stand before the bits. Bit 21 says that MinorFaults has the major ones, and repeats it; bit 22 is
  // not used.
  MinorFaults = 21,
  MajorFaults = 22,  // absent: the system does not tell them apart
  // Parts of the parts above.
  FaultTimeOnDisk = 23,
  ThreadFaultTimeOnDisk = 24,
  FaultTimeInReclaim = 25,
  ThreadFaultTimeInReclaim = 26,
  FaultTimeInCompaction = 27,
  ThreadFaultTimeInCompaction = 28,
  ZeroedLargeBytes = 29,
  ThreadZeroedLargeBytes = 30,
  // The path of the frame: parts of ThreadSleeping, until another thread of the game woke the thread; and of that, what
  // this one did meanwhile, or those for which it waited itself, waits for a processor left out. See
  // ThreadAwaitedWaiting.
  ThreadAwaiting = 31,
  ThreadAwaitedFaultTime = 32,
  ThreadAwaitedTeardownTime = 33,
  UnseenFaultTime = 34,  // that a fault takes besides FaultTime, at most
  FreedBytes = 35,
  ThreadFreedBytes = 36,
  // Of the waits of the thread for a processor, in and outside faults: while one program ran there, the one that ran
  // longest. The name of that program: 8 bytes each, the first in the lowest bits, and zeros behind it.
  ThreadWaitingBehind = 37,
  ThreadBehindName = 38,
  ThreadBehindNameRest = 39,
  ThreadSamplingTime = 40,    // in which single faults of the thread were sampled, behind FaultTime: Faultline's own
  ThreadAwaitedThread = 41,   // had more than half of ThreadAwaitedFaultTime; absent: none, or not known
  ThreadAwaitedWaiting = 42,  // those waits
};
inline constexpr std::size_t kFrameMetricCount = 43;

enum class FrameScope : std::uint8_t { Game, Thread };

// Numbers that are measured together, and so have one quality.
enum class FrameGroup : std::uint8_t { Faults, Zeroing, Timing, Parts, Efforts, Teardown, Delays, Path, Freeing };

struct FrameField {
  FrameMetric metric;
  std::string_view name;  // of the column, the key in JSON and the note in a trace; empty: not exported as it is
  FrameGroup group;
  Unit unit;
  FrameScope scope;
  std::string_view meaning;               // one sentence, for help and manual
  std::optional<FrameMetric> whole = {};  // of which this is a part: never more, and unknown if that is
  bool label = false;                     // of the frame; else what grows from mark to mark
  std::string_view words = {};            // in the text of a frame, behind the number: "3.00 ms waiting for the disk"
};

// In the order of the columns. Of the same scope, a part comes after its whole.
inline constexpr auto kFrameFields = [] {
  using enum FrameMetric;
  using enum FrameGroup;
  using enum Unit;
  constexpr auto kGame = FrameScope::Game;
  constexpr auto kThread = FrameScope::Thread;
  return std::to_array<FrameField>({
      {MinorFaults, "minor_faults", Faults, Count, kGame,
       "Page faults served from memory; with the major ones where those are unknown."},
      {MajorFaults, "major_faults", Faults, Count, kGame, "Page faults that had to wait for the disk."},
      {ZeroedBytes, "zeroed_bytes", Zeroing, Bytes, kGame,
       "Memory the kernel has cleared before handing it to the game."},
      {FaultTime, "fault_ns", Timing, Duration, kGame,
       "Time inside page faults, all threads together, waits included."},
      {ThreadMinorFaults, "thread_minor_faults", Faults, Count, kThread, "Minor faults of the thread.", MinorFaults},
      {ThreadMajorFaults, "thread_major_faults", Faults, Count, kThread, "Major faults of the thread.", MajorFaults},
      {ThreadZeroedBytes, "thread_zeroed_bytes", Zeroing, Bytes, kThread, "Memory cleared for the thread.",
       ZeroedBytes},
      {ThreadFaultTime, "thread_fault_ns", Timing, Duration, kThread, "Time of the thread inside page faults.",
       FaultTime},
      {FaultTimeOnProcessor, "fault_on_processor_ns", Parts, Duration, kGame, "Part of fault_ns: on a processor."},
      {FaultTimeWaiting, "fault_waiting_ns", Parts, Duration, kGame,
       "Part of fault_ns: ready to run, and waiting for a processor."},
      {FaultTimeBlocked, "fault_blocked_ns", Parts, Duration, kGame,
       "Part of fault_ns: waiting for the disk, a lock or another process."},
      {TimedFaults, "timed_faults", Timing, Count, kGame, "Number of faults in fault_ns."},
      {ThreadFaultTimeOnProcessor, "thread_fault_on_processor_ns", Parts, Duration, kThread,
       "Part of thread_fault_ns: on a processor."},
      {ThreadFaultTimeWaiting, "thread_fault_waiting_ns", Parts, Duration, kThread,
       "Part of thread_fault_ns: ready to run, and waiting for a processor."},
      {ThreadFaultTimeBlocked, "thread_fault_blocked_ns", Parts, Duration, kThread,
       "Part of thread_fault_ns: waiting for the disk, a lock or another process."},
      {ThreadWaiting, "thread_waiting_ns", Parts, Duration, kThread,
       "Time in which the thread waited for a processor, outside faults. An estimate where thread_fault_ns is "
       "unknown."},
      {ThreadSleeping, "thread_sleeping_ns", Parts, Duration, kThread,
       "Time in which the thread slept or was blocked, outside faults. An estimate where thread_fault_ns is unknown."},
      {ThreadTeardownTime, "thread_teardown_ns", Teardown, Duration, kThread,
       "Part of teardown_ns: in calls of the thread.", TeardownTime},
      {TeardownTime, "teardown_ns", Teardown, Duration, kGame,
       "Time in which the kernel took memory away from the game."},
      {Delay, "delay_ns", Delays, Duration, kGame, "Delay that was added to page faults on request."},
      {ThreadDelay, "thread_delay_ns", Delays, Duration, kThread, "The same, in the thread.", Delay},
      {ThreadFutexTime, "thread_futex_ns", Delays, Duration, kThread,
       "Time of the thread in waits for a futex, outside faults."},
      {.metric = DelayStretch,
       .name = {},
       .group = Delays,
       .unit = Count,
       .scope = kGame,
       .meaning = {},
       .label = true},
      {FaultTimeOnDisk, "fault_disk_ns", Parts, Duration, kGame, "Part of fault_blocked_ns: waiting for the disk.",
       FaultTimeBlocked, false, "waiting for the disk"},
      {ThreadFaultTimeOnDisk, "thread_fault_disk_ns", Parts, Duration, kThread,
       "Part of thread_fault_blocked_ns: waiting for the disk.", ThreadFaultTimeBlocked, false, "waiting for the disk"},
      {FaultTimeInReclaim, "fault_reclaim_ns", Efforts, Duration, kGame,
       "Part of fault_ns: first taking memory away from others, running and waiting.", FaultTime, false, "in reclaim"},
      {ThreadFaultTimeInReclaim, "thread_fault_reclaim_ns", Efforts, Duration, kThread,
       "Part of thread_fault_ns: first taking memory away from others, running and waiting.", ThreadFaultTime, false,
       "in reclaim"},
      {FaultTimeInCompaction, "fault_compaction_ns", Efforts, Duration, kGame,
       "Part of fault_ns: first moving memory to make room for a large page.", FaultTime, false, "in compaction"},
      {ThreadFaultTimeInCompaction, "thread_fault_compaction_ns", Efforts, Duration, kThread,
       "Part of thread_fault_ns: first moving memory to make room for a large page.", ThreadFaultTime, false,
       "in compaction"},
      {ZeroedLargeBytes, "zeroed_large_bytes", Zeroing, Bytes, kGame, "Part of zeroed_bytes: large pages (THP).",
       ZeroedBytes, false, "cleared in large pages"},
      {ThreadZeroedLargeBytes, "thread_zeroed_large_bytes", Zeroing, Bytes, kThread,
       "Part of thread_zeroed_bytes: large pages (THP).", ThreadZeroedBytes, false, "cleared in large pages"},
      {ThreadAwaiting, "thread_awaiting_ns", Path, Duration, kThread,
       "Part of thread_sleeping_ns: until another thread of the game woke the thread.", ThreadSleeping},
      {ThreadAwaitedFaultTime, "thread_awaited_fault_ns", Path, Duration, kThread,
       "Part of thread_awaiting_ns: while that thread, or one for which it waited, was in page faults, waits for a "
       "processor left out.",
       ThreadAwaiting},
      {ThreadAwaitedTeardownTime, "thread_awaited_teardown_ns", Path, Duration, kThread,
       "Part of thread_awaiting_ns: while that thread, or one for which it waited, gave memory back.", ThreadAwaiting},
      {ThreadAwaitedWaiting, "thread_awaited_waiting_ns", Path, Duration, kThread,
       "Part of thread_awaiting_ns: while that thread, or one for which it waited, waited for a processor.",
       ThreadAwaiting},
      {UnseenFaultTime,
       "unseen_fault_ns",
       Timing,
       Duration,
       kGame,
       "Time that each fault takes besides fault_ns, at most: entry and return, and what watching adds. The shortest "
       "mean of eight times between faults.",
       {},
       true},
      {FreedBytes,
       "freed_bytes",
       Freeing,
       Bytes,
       kGame,
       "Memory that the game gave back to the kernel: anonymous and shared memory, in pages of all sizes.",
       {},
       false,
       "given back"},
      {ThreadFreedBytes, "thread_freed_bytes", Freeing, Bytes, kThread, "Memory that the thread gave back.", FreedBytes,
       false, "given back"},
      {ThreadWaitingBehind,
       "thread_waiting_behind_ns",
       Path,
       Duration,
       kThread,
       "Time in which the thread waited for a processor, in and outside faults, while the program waiting_behind ran "
       "there.",
       {},
       true},
      {.metric = ThreadBehindName,
       .name = {},
       .group = Path,
       .unit = Count,
       .scope = kThread,
       .meaning = {},
       .label = true},
      {.metric = ThreadBehindNameRest,
       .name = {},
       .group = Path,
       .unit = Count,
       .scope = kThread,
       .meaning = {},
       .label = true},
      {ThreadSamplingTime,
       "thread_sampling_ns",
       Timing,
       Duration,
       kThread,
       "Time in which Faultline sampled faults of the thread, besides thread_fault_ns.",
       {},
       false,
       "in which Faultline sampled them"},
      {.metric = ThreadAwaitedThread,
       .name = "awaited_thread",
       .group = Path,
       .unit = Count,
       .scope = kThread,
       .meaning = "Id of the thread that had more than half of thread_awaited_fault_ns; empty if there was none.",
       .label = true},
  });
}();

static_assert(kFrameFields.size() == kFrameMetricCount);

[[nodiscard]] constexpr const FrameField& field(FrameMetric metric) {
  std::size_t row = 0;
  while (kFrameFields.at(row).metric != metric) ++row;
  return kFrameFields.at(row);
}

// A set of numbers: a bit each.
[[nodiscard]] constexpr std::uint64_t frameBit(FrameMetric metric) {
  return std::uint64_t{1} << static_cast<unsigned>(metric);
}
[[nodiscard]] constexpr std::uint64_t bitsOf(std::initializer_list<FrameMetric> metrics) {
  std::uint64_t bits = 0;
  for (const FrameMetric metric : metrics) bits |= frameBit(metric);
  return bits;
}
template <class Says>
[[nodiscard]] constexpr std::uint64_t frameMetricsThat(Says says) {
  std::uint64_t bits = 0;
  for (const FrameField& row : kFrameFields)
    if (says(row)) bits |= frameBit(row.metric);
  return bits;
}

}  // namespace faultline
