// The watch's programs in the kernel, for one game. Sums are updated at each event, so that a mark only reads them. The
// cost for other processes is a comparison per fault, and per page that is allocated or freed. Faults end when the
// function that serves them returns, or with perf events of the game's threads (bpf/thread_faults.h).
// clang-format off: libbpf's headers need the kernel's types
#include "platform/sampling/linux/bpf/kernel/kernel_types.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "platform/sampling/linux/bpf/kernel/efforts.h"
#include "platform/sampling/linux/bpf/kernel/fault_ends.h"
#include "platform/sampling/linux/bpf/kernel/fault_parts.h"
#include "platform/sampling/linux/bpf/kernel/image_of.h"
#include "platform/sampling/linux/bpf/kernel/memory_calls.h"
#include "platform/sampling/linux/bpf/kernel/own_memory.h"
#include "platform/sampling/linux/bpf/kernel/watch/runs.h"
#include "platform/sampling/records/watch_records.h"
#include "platform/sampling/linux/bpf/kernel/zeroing.h"
// clang-format on

char kLicense[] SEC("license") = "GPL";  // required by most helpers

const volatile struct WatchSettings settings;
struct WatchShared shared;

struct Mapping {
  __u64 begin, end, flags;
  __u32 kind;
  char fileName[kFileNameBytes];
};

struct Thread {
  __u64 seenMinorFaults, seenMajorFaults;  // already in the process's sums
  struct FaultSums own;
  __u64 faultBegan;        // 0: not in a fault
  struct Absence absence;  // since the fault began
  struct Absence away;     // outside faults; its times are never set back
  struct Efforts efforts;  // since the fault began
  struct FaultParts parts;
  __u64 teardown;
  __u64 teardownBegan;   // 0: not in a teardown
  __u64 awayAtTeardown;  // sum of the times of `away` when it began
  __u64 freedBefore;     // own.freedPages then
  struct Unsettled unsettled;
  __u64 counted;    // see isCounted()
  __u64 retriedAt;  // address of a fault that will be retried
  __u64 address, errorCode;
  __u32 inKernel;
  __u32 mappingChanges;  // changesOf() when `mapping` was found
  struct Mapping mapping;
  __u64 added;                // delay
  __u64 awaited;              // time in waits for a futex
  __u64 blockedBefore;        // away.blocked when the present wait began
  __u32 awaits;               // is in such a wait
  struct AwaitedSums waitedFor;  // other threads of the game; the majority is since its last mark
  __u64 faultsAtMark;            // waitedFor.path.faults then
  struct Path path;
  __u64 sampling;        // time in which its faults were sampled
  __u64 faultEnded;      // the last one's end, or its sample's, if the thread then went on outside the kernel; else 0
  __u64 gaps;            // sum of times between faults
  __u64 askedOfProcess;  // when it last called getrusage() for the process
  __u32 gapCount;
};

struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct Thread);
} threads SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 1 << 20);
} marks SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, 4096);  // larger if samples are wanted
} samples SEC(".maps");

#include "platform/sampling/linux/bpf/kernel/watch/wait.h"

static void add(__u64* sum, __u64 value) {
  __sync_fetch_and_add(sum, value);
}

static void leave(struct task_struct* task);
static void endSlots(void);

// The task, which is the current one, belongs to the program image that was identified before loading. Another image
// with its pid ends the watch.
static int isGame(struct task_struct* task) {
  if ((__u32)task->tgid != settings.game.process || shared.left) return 0;
  if (isImage(task, &settings.game)) return 1;
  leave(task);
  return 0;
}

static int isPlaying(struct task_struct* task) {
  if (!isGame(task) || shared.began == 0) return 0;
  if (settings.slot != 0) endSlots();
  return 1;
}

// Faults of a thread from before the watch are left out, except the `counted` ones.
static struct Thread* threadOf(struct task_struct* task, __u64 minorCounted, __u64 majorCounted) {
  struct Thread* thread = bpf_task_storage_get(&threads, task, 0, 0);
  if (thread) return thread;
  thread = bpf_task_storage_get(&threads, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE);
  if (!thread || task->start_time >= shared.began) return thread;
  thread->seenMinorFaults = task->min_flt - minorCounted;
  thread->seenMajorFaults = task->maj_flt - majorCounted;
  return thread;
}

// Atomic, because an interrupt may run the same code in between.
static void catchUp(const struct task_struct* task, struct Thread* thread) {
  const __u64 minorFaults = task->min_flt;
  const __u64 majorFaults = task->maj_flt;
  if (thread->seenMinorFaults != minorFaults)
    add(&shared.process.minorFaults, minorFaults - __sync_lock_test_and_set(&thread->seenMinorFaults, minorFaults));
  if (thread->seenMajorFaults != majorFaults)
    add(&shared.process.majorFaults, majorFaults - __sync_lock_test_and_set(&thread->seenMajorFaults, majorFaults));
}

// The kernel keeps the counts of faults at exec, when the process has a single thread: whoever reads them later can go
// on from the sums.
static void leave(struct task_struct* task) {
  if (task->self_exec_id != settings.game.execution) {
    if (settings.slot != 0 && shared.began != 0) endSlots();
    struct Thread* const thread = shared.began != 0 ? threadOf(task, 0, 0) : 0;
    if (thread) catchUp(task, thread);
    // BPF_CORE_READ runs for longer than a plain load, before which the verifier searches the kernel's types.
    shared.minorFaultsAtExec = BPF_CORE_READ(task, signal, min_flt) + task->min_flt;
    shared.majorFaultsAtExec = BPF_CORE_READ(task, signal, maj_flt) + task->maj_flt;
    shared.executed = 1;
  }
  barrier();
  shared.left = 1;
}

// Marks

// Id of the current thread in the collector's pid namespace.
static __u32 threadId(const struct task_struct* task) {
  struct bpf_pidns_info ids = {};
  __u32 id = (__u32)task->pid;  // read first: the verifier refuses a load from either of two structures
  if (bpf_get_ns_current_pid_tgid(settings.pidNamespaceDevice, settings.pidNamespaceInode, &ids, sizeof ids) == 0)
    id = ids.pid;
  return id;
}

static struct MarkRecord* noteProcess(__u32 mark, __u64 number) {
  struct MarkRecord* const record = bpf_ringbuf_reserve(&marks, sizeof *record, 0);
  if (!record) {
    add(&shared.lostMarks, 1);
    return 0;
  }
  record->number = number;
  record->mark = mark;
  record->time = bpf_ktime_get_ns();
  record->process = shared.process;
  record->parts = shared.parts;
  record->teardown = shared.teardown;
  record->unseen = shared.unseen;
  record->behind.time = record->behind.name[0] = record->behind.name[1] = 0;
  record->awaitedThread = 0;
  record->delay.added = shared.delay.added;
  record->delay.stretch = shared.delay.stretch;
  return record;
}

// A beginning without an end, such as a SIGSEGV's, is forgotten at the thread's next beginning or mark: neither of them
// is inside a fault, so that the thread was away outside of faults. An absence whose end was not seen ends there, too.
static void leaveFaults(struct task_struct* task, struct Thread* thread) {
  endUnseenAbsence(&thread->away, task);
  if (thread->faultBegan == 0) return;
  thread->faultBegan = 0;
  barrier();
  thread->away.waiting += thread->absence.waiting;
  thread->away.blocked += thread->absence.blocked;
}

// At a mark that ends frames.
static __u32 tellAwaited(struct Thread* thread) {
  struct AwaitedSums* const sums = &thread->waitedFor;
  const __u64 faults = sums->path.faults - thread->faultsAtMark;
  const __u32 told = 2 * sums->most.time > faults ? sums->most.thread : 0;
  thread->faultsAtMark = sums->path.faults;
  sums->most.time = 0;
  return told;
}

static void note(struct task_struct* task, struct Thread* thread, __u32 mark, __u64 number) {
  struct MarkRecord* const record = noteProcess(mark, number);
  if (!record) return;
  record->thread = threadId(task);
  record->own = thread->own;
  record->own.minorFaults = task->min_flt;
  record->own.majorFaults = task->maj_flt;
  record->ownParts = thread->parts;
  record->ownWaiting = thread->away.waiting;
  record->ownSleeping = thread->away.blocked;
  record->ownTeardown = thread->teardown;
  record->ownSampling = thread->sampling;
  record->ownAwaited = thread->waitedFor.path;
  if (shared.chosen == 0 || shared.chosen == mark + 1) {
    tellWait(task, &record->behind);
    record->awaitedThread = tellAwaited(thread);
  }
  record->delay.ownAdded = thread->added;
  record->delay.ownAwaited = thread->awaited;
  bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
}

// Frames of an assumed length: at the first event after some slots, notes the sums from before it. All events since the
// previous note fell into a single slot.
static void endSlots(void) {
  const __u64 slot = (bpf_ktime_get_ns() - shared.began) / settings.slot;
  const __u64 last = shared.slot;
  if (slot <= last || __sync_val_compare_and_swap(&shared.slot, last, slot) != last) return;
  struct MarkRecord* const record = noteProcess(0, slot);
  if (!record) return;
  record->thread = 0;
  bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
  shared.timeAtMark = shared.process.faultTime;
}

#include "platform/sampling/linux/bpf/kernel/watch/delay.h"
#include "platform/sampling/linux/bpf/kernel/watch/marks.h"

static void countPages(struct Thread* thread, __u32 zeroed) {
  if (zeroed == 0) return;
  add(&thread->own.zeroedPages, zeroed);
  add(&shared.process.zeroedPages, zeroed);
}

// Faults

// Between faults that follow each other the thread hardly does more than to leave the one and enter the other: both
// outside of their measured times.
static void noteGap(struct Thread* thread, __u64 began) {
  enum { kGaps = 8 };
  if (thread->faultEnded == 0) return;
  thread->gaps += began - thread->faultEnded;
  if (++thread->gapCount < kGaps) return;
  const __u64 mean = thread->gaps / kGaps;
  if (shared.unseen == 0 || mean < shared.unseen) shared.unseen = mean;
  thread->gaps = thread->gapCount = 0;
}

static int beginFault(__u64 address, __u64 errorCode, int inKernel) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct Thread* const thread = threadOf(task, 0, 0);
  if (!thread) return 0;
  catchUp(task, thread);
  leaveFaults(task, thread);  // until the beginning is set below, no switch of threads is a part of the fault
  barrier();
  thread->address = address;
  thread->errorCode = errorCode;
  thread->inKernel = inKernel;
  thread->retriedAt = 0;
  beginAbsence(&thread->absence);
  forgetEfforts(&thread->efforts);
  barrier();
  const __u64 now = bpf_ktime_get_ns();
  thread->faultBegan = now;
  if (!inKernel) noteGap(thread, now);
  return 0;
}

SEC("tp_btf/page_fault_user")
int beginUserFault(__u64* context) {
  return isPlaying(bpf_get_current_task_btf()) ? beginFault(context[0], context[2], 0) : 0;
}

SEC("tp_btf/page_fault_kernel")
int beginKernelFault(__u64* context) {
  return isPlaying(bpf_get_current_task_btf()) ? beginFault(context[0], context[2], 1) : 0;
}

// For pages populated in advance; without the tracepoints, for all faults.
SEC("fentry/handle_mm_fault")
int enterFault(__u64* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!isPlaying(task) || (isTrap(context) && !settings.faultsBeginAtEntry)) return 0;
  const struct Thread* const thread = bpf_task_storage_get(&threads, task, 0, 0);
  if (thread && thread->faultBegan != 0 && thread->retriedAt == context[kFaultAddress]) return 0;
  return beginFault(context[kFaultAddress], errorCodeOf(context), !byUser(context));
}

#include "platform/sampling/linux/bpf/kernel/watch/path.h"
#include "platform/sampling/linux/bpf/kernel/watch/sample.h"

static void addEfforts(struct Thread* thread) {
  addEffort(&thread->own.reclaimTime, &thread->efforts.reclaim);
  addEffort(&shared.process.reclaimTime, &thread->efforts.reclaim);
  addEffort(&thread->own.compactionTime, &thread->efforts.compaction);
  addEffort(&shared.process.compactionTime, &thread->efforts.compaction);
}

// A second report of the same end has no effect.
static int endFault(struct task_struct* task, int major) {
  struct Thread* const thread = threadOf(task, !major, major);
  if (!thread) return 0;
  catchUp(task, thread);
  countPages(thread, settle(&thread->unsettled));
  if (thread->faultBegan == 0) return 0;
  const __u64 now = bpf_ktime_get_ns();
  const __u64 took = now - thread->faultBegan;
  add(&thread->own.faultTime, took);
  add(&shared.process.faultTime, took);
  add(&thread->own.timedFaults, 1);
  add(&shared.process.timedFaults, 1);
  if (settings.splitsFaults) {
    endUnseenAbsence(&thread->absence, task);
    const struct FaultParts parts = partsOf(&thread->absence, took);
    addParts(&shared.parts, &parts);
    addParts(&thread->parts, &parts);
    if (settings.followsPath) noteFaultOnPath(thread, &parts, now);
  }
  addEfforts(thread);
  const __u64 ended = sampleIfWanted(task, thread, now, major);
  thread->faultBegan = 0;
  thread->faultEnded = thread->inKernel ? 0 : ended;
  if (settings.delay != 0) delayFault(thread);
  return 0;
}

SEC("fexit/handle_mm_fault")
int leaveFault(__u64* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!shared.endsSeen) shared.endsSeen = 1;
  if (!isPlaying(task)) return 0;
  const enum FaultOutcome outcome = outcomeOf(context);
  if (outcome == kFaultMinor || outcome == kFaultMajor) return endFault(task, outcome == kFaultMajor);
  struct Thread* const thread = bpf_task_storage_get(&threads, task, 0, 0);
  if (!thread) return 0;
  if (outcome == kFaultRetried) thread->retriedAt = context[kFaultAddress];
  else thread->faultBegan = 0;
  return 0;
}

SEC("perf_event")
int endMinorFault(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  return isPlaying(task) ? endFault(task, 0) : 0;
}

SEC("perf_event")
int endMajorFault(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  return isPlaying(task) ? endFault(task, 1) : 0;
}

static struct Absence* absenceOf(struct task_struct* task) {
  if ((__u32)task->tgid != settings.game.process) return 0;
  struct Thread* const thread = bpf_task_storage_get(&threads, task, 0, 0);
  if (!thread) return 0;
  if (task->flags & PF_EXITING) catchUp(task, thread);  // since Linux 6.16 a thread's last faults follow endThread()
  return thread->faultBegan != 0 ? &thread->absence : &thread->away;
}

#include "platform/sampling/linux/bpf/kernel/switches.h"

static struct Efforts* effortsNow(void) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if ((__u32)task->tgid != settings.game.process) return 0;
  struct Thread* const thread = bpf_task_storage_get(&threads, task, 0, 0);
  return thread && thread->faultBegan != 0 ? &thread->efforts : 0;
}

#include "platform/sampling/linux/bpf/kernel/reclaiming.h"

// Memory

static int countZeroing(const __u64* context, int second) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!isPlaying(task)) return 0;
  const struct Zeroed zeroed = zeroedBy(context, task, &settings.gfp);
  if (zeroed.pages == 0 && zeroed.unsettled == 0) return 0;
  struct Thread* const thread = threadOf(task, 0, 0);
  if (!thread || (settings.gfp.countsTwice && isCounted(&thread->counted, context, second))) return 0;
  catchUp(task, thread);
  countPages(thread, zeroed.unsettled ? settleFor(&thread->unsettled, context, zeroed.unsettled) : zeroed.pages);
  if (!zeroed.large) return 0;
  add(&thread->own.zeroedLargePages, zeroed.pages);
  add(&shared.process.zeroedLargePages, zeroed.pages);
  return 0;
}

SEC("tp_btf/mm_page_alloc")
int countZeroed(__u64* context) {
  return countZeroing(context, 0);
}

SEC("tp_btf/mm_page_alloc")
int countZeroedAgain(__u64* context) {
  return countZeroing(context, 1);
}

#include "platform/sampling/linux/bpf/kernel/watch/teardown.h"

// Ends

static int endThisThread(void) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!isPlaying(task)) return 0;
  struct Thread* const thread = threadOf(task, 0, 0);
  if (thread) catchUp(task, thread);
  return 0;
}

SEC("tp_btf/sched_process_exit")
int endThread(void* context) {
  return endThisThread();
}

// The last thread has left the memory. Since Linux 6.16 its last faults follow endThread(), and whoever waits for the
// process learns of its end after this and before its last switch.
SEC("tp_btf/exit_mmap")
int leaveMemory(void* context) {
  return endThisThread();
}

// After exec; isGame() notices the other program.
SEC("tp_btf/sched_process_exec")
int leaveProgram(void* context) {
  isGame(bpf_get_current_task_btf());
  return 0;
}
