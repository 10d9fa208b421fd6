// The sweep's programs in the kernel. Counts are stored with each process's first thread, which lives as long as the
// process. A sweep reads all counts; a process that ends reports its own.
// clang-format off: libbpf's headers need the kernel's types
#include "platform/sampling/linux/bpf/kernel/kernel_types.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "platform/sampling/linux/bpf/kernel/efforts.h"
#include "platform/sampling/linux/bpf/kernel/sweep/fault_durations.h"
#include "platform/sampling/linux/bpf/kernel/fault_ends.h"
#include "platform/sampling/linux/bpf/kernel/fault_parts.h"
#include "platform/sampling/linux/bpf/kernel/memory_calls.h"
#include "platform/sampling/linux/bpf/kernel/own_memory.h"
#include "platform/sampling/records/sweep_records.h"
#include "platform/sampling/linux/bpf/kernel/zeroing.h"
// clang-format on

char kLicense[] SEC("license") = "GPL";  // required by most helpers

const volatile struct SweepSettings settings;
struct Shared shared;

struct Account {
  struct ProcessTotals totals;
  // Faults of threads that have begun to exit, and 1 + the faults of threads that were gone before the first of them.
  __u64 exitedMinorFaults, exitedMajorFaults;
  __u64 goneMinorFaults, goneMajorFaults;
  __u64 faultBegan;  // of this thread; 0: not in a fault
  struct Absence absence;
  struct Efforts efforts;
  struct Unsettled unsettled;
  __u64 gotLarge;         // when this thread, in a fault, last got a large page
  __u64 awayBeforeLarge;  // its absence in that fault until then
  __u64 counted;          // see isCounted()
  __u64 retriedAt;        // address of a fault that will be retried
  __u32 attention;        // number of the period in which the fault began
  __u32 ended;            // the process has been reported
  __u32 parent;           // at birth; 0: the process is older than these programs
  __u32 leaving;          // it has been reported, but its memory has not been given back yet
  __u32 leaderExited;     // its first thread's exit has been seen
  __u64 teardownBegan;    // of this thread; 0: not giving memory back
  __u64 freedBefore;      // 1 + freed pages of the process, then; 0: the time counts even if no page is freed
  struct EndedSum told;   // the part of the counts that is in a sum
};

enum { kExitBytes = 1 << 20 };  // about 3000 ends, which may be told twice; mapped twice by the reader

struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, struct Account);
} accounts SEC(".maps");

struct {
  __uint(type, BPF_MAP_TYPE_RINGBUF);
  __uint(max_entries, kExitBytes);
} exits SEC(".maps");

static struct Account* accountOf(struct task_struct* task) {
  return task ? bpf_task_storage_get(&accounts, task, 0, BPF_LOCAL_STORAGE_GET_F_CREATE) : 0;
}

static void add(__u64* sum, __u64 value) {
  __sync_fetch_and_add(sum, value);
}

static void noteLarge(struct task_struct* task);

// Memory

static int countPages(const __u64* context, int second) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct task_struct* const leader = task->group_leader;
  const struct Zeroed zeroed = zeroedBy(context, task, &settings.gfp);
  __u32 pages = zeroed.pages;
  if (pages == 0 && zeroed.unsettled == 0) return 0;
  if (zeroed.unsettled || settings.gfp.countsTwice) {
    struct Account* const own = accountOf(task);
    if (!own || (settings.gfp.countsTwice && isCounted(&own->counted, context, second))) return 0;
    if (zeroed.unsettled) pages = settleFor(&own->unsettled, context, zeroed.unsettled);
  }
  if (pages == 0) return 0;
  struct Account* const account = accountOf(leader);
  if (!account) return 0;
  add(&account->totals.zeroedPages, pages);
  if (!zeroed.large) return 0;
  add(&account->totals.zeroedLargePages, zeroed.pages);
  noteLarge(task);
  return 0;
}

SEC("tp_btf/mm_page_alloc")
int countZeroed(__u64* context) {
  return countPages(context, 0);
}

SEC("tp_btf/mm_page_alloc")
int countZeroedAgain(__u64* context) {
  return countPages(context, 1);
}

// Sweep

static void readMemory(struct mm_struct* mm, struct ProcessRecord* record) {
  record->commitPages = mm->data_vm + mm->stack_vm;
  record->mappings = (__u32)mm->map_count;
  if (bpf_core_field_exists(mm->rss_stat[0].count)) {
    record->filePages = mm->rss_stat[MM_FILEPAGES].count;
    record->anonPages = mm->rss_stat[MM_ANONPAGES].count;
    record->swapPages = mm->rss_stat[MM_SWAPENTS].count;
    record->shmemPages = mm->rss_stat[MM_SHMEMPAGES].count;
    return;
  }
  struct mm_struct___before62* const old = (void*)mm;
  record->filePages = BPF_CORE_READ(old, rss_stat.count[MM_FILEPAGES].counter);
  record->anonPages = BPF_CORE_READ(old, rss_stat.count[MM_ANONPAGES].counter);
  record->swapPages = BPF_CORE_READ(old, rss_stat.count[MM_SWAPENTS].counter);
  record->shmemPages = BPF_CORE_READ(old, rss_stat.count[MM_SHMEMPAGES].counter);
}

// The verifier takes 0.5 ms for each load of a pointer from a task, on each way that leads to it: the programs load
// such a pointer once, and early.
static void readThread(struct task_struct* task, const struct signal_struct* signal, struct ThreadRecord* record) {
  record->tid = (__u32)task->pid;
  record->pid = (__u32)task->tgid;
  record->minorFaults = task->min_flt;
  record->majorFaults = task->maj_flt;
  record->deadMinorFaults = signal->min_flt;
  record->deadMajorFaults = signal->maj_flt;
}

static void readProcess(struct task_struct* leader, const struct signal_struct* signal, struct ProcessRecord* record) {
  record->startTime = leader->start_boottime;
  record->parent = (__u32)leader->real_parent->tgid;
  record->threads = (__u32)signal->nr_threads;
  bpf_core_read(record->name, sizeof record->name, &leader->comm);
}

// The process has been reported, in the ring, and will be reported again.
static int isGivingBack(const struct Account* account, const struct task_struct* leader) {
  return account->leaving && account->told.count == 0 && leader->exit_state == 0;
}

SEC("iter/task")
int sweep(struct bpf_iter__task* context) {
  struct task_struct* const task = context->task;
  if (!task) return 0;
  struct signal_struct* const signal = task->signal;
  struct mm_struct* const mm = task->mm;
  struct ProcessRecord record = {};
  readThread(task, signal, &record.thread);
  if (task->pid != task->tgid) {
    bpf_seq_write(context->meta->seq, &record.thread, sizeof record.thread);
    if (task->group_leader->mm || !mm) return 0;
    record.thread.tid = 0;  // the first thread has ended and has no mm any more
    readMemory(mm, &record);
    bpf_seq_write(context->meta->seq, &record, sizeof record);
    return 0;
  }
  readProcess(task, signal, &record);
  const struct Account* const account = bpf_task_storage_get(&accounts, task, 0, 0);
  if (account && account->ended && !isGivingBack(account, task)) return 0;
  if (account) {
    record.totals = account->totals;
    record.leaving = account->leaving;
    if (account->parent) record.parent = account->parent;
  }
  if (mm && !(task->flags & PF_KTHREAD)) readMemory(mm, &record);
  bpf_seq_write(context->meta->seq, &record, sizeof record);
  return 0;
}

// Births

// sched_process_fork(parent, child). When the parent ends, the kernel gives its children another parent.
SEC("tp_btf/sched_process_fork")
int rememberParent(__u64* context) {
  struct task_struct* const child = (void*)context[1];
  if (child->pid != child->tgid) return 0;
  struct Account* const account = accountOf(child);
  if (account) account->parent = (__u32)child->real_parent->tgid;
  return 0;
}

// Ends

static void addTotals(struct ProcessTotals* sum, const struct ProcessTotals* totals) {
#pragma unroll
  for (int i = 0; i < kTotals; ++i) add((__u64*)sum + i, ((const __u64*)totals)[i]);
}

// A thread other than the first calls exec: it takes the first thread's place and id, and its counts.
static void passOn(struct task_struct* task, const struct signal_struct* signal, const struct Account* account) {
  if (task->pid != task->tgid || !bpf_core_field_exists(signal->group_exec_task)) return;
  struct Account* const heir = accountOf(signal->group_exec_task);
  if (!heir) return;
  addTotals(&heir->totals, &account->totals);
  heir->parent = account->parent;
}

// The slot for children of `parent`, by open addressing.
static struct EndedSum* sumOf(__u32 parent) {
  const __u32 start = parent * 2654435761U >> 16;
  for (__u32 i = 0; i < 8; ++i) {
    const __u32 place = (start + i) & (kEndedSums - 1);
    struct EndedSum* const sum = &shared.ended[place];
    if (place == 0) continue;
    const __u32 owner = __sync_val_compare_and_swap(&sum->parent, 0, parent);
    if (owner == 0 || owner == parent) return sum;
  }
  return &shared.ended[0];
}

// A later report of the same process adds only the difference.
static void addNew(__u64* sum, __u64* told, __u64 now) {
  add(sum, now - __sync_lock_test_and_set(told, now));
}

static void addToSum(struct EndedSum* told, const struct ProcessRecord* record) {
  struct EndedSum* const sum = sumOf(record->parent);
  sum->lastPid = record->thread.pid;
  sum->lastEnd = bpf_ktime_get_boot_ns();
  addNew(&sum->count, &told->count, 1);
  addNew(&sum->minorFaults, &told->minorFaults, record->thread.minorFaults + record->thread.deadMinorFaults);
  addNew(&sum->majorFaults, &told->majorFaults, record->thread.majorFaults + record->thread.deadMajorFaults);
#pragma unroll
  for (int i = 0; i < kTotals; ++i)
    addNew((__u64*)&sum->totals + i, (__u64*)&told->totals + i, ((const __u64*)&record->totals)[i]);
}

// The reader sleeps between sweeps; wakes it early only if the ring fills.
static __u64 wakeIfHalfFull(void) {
  return bpf_ringbuf_query(&exits, BPF_RB_AVAIL_DATA) >= kExitBytes / 2 ? BPF_RB_FORCE_WAKEUP : BPF_RB_NO_WAKEUP;
}

static void describeEnd(struct task_struct* leader, const struct signal_struct* signal, const struct Account* account,
                        struct ProcessRecord* record) {
  readProcess(leader, signal, record);
  if (account->parent) record->parent = account->parent;
  record->thread.tid = record->thread.pid = (__u32)leader->tgid;
  record->thread.minorFaults = account->exitedMinorFaults;
  record->thread.majorFaults = account->exitedMajorFaults;
  record->thread.deadMinorFaults = account->goneMinorFaults - 1;
  record->thread.deadMajorFaults = account->goneMajorFaults - 1;
  if (!account->leaderExited) {  // it ended before these programs came, and the kernel keeps it as long as the process
    record->thread.minorFaults += leader->min_flt;
    record->thread.majorFaults += leader->maj_flt;
  }
  record->totals = account->totals;
}

// The memory of the last thread's process is still there, and no other process shares it.
static int givesBackLater(const struct task_struct* task, const struct signal_struct* signal) {
  const struct mm_struct* const mm = task->mm;
  return settings.awaitsTeardown && mm && mm->mm_users.counter <= signal->nr_threads;
}

// The rest of what a process has cost that was reported when its memory was still there. If the ring has no room for
// it, the first report stands.
static void reportRest(struct task_struct* leader, const struct signal_struct* signal) {
  struct Account* const account = bpf_task_storage_get(&accounts, leader, 0, 0);
  if (!account || !account->leaving) return;
  account->leaving = 0;
  struct ProcessRecord record = {};
  describeEnd(leader, signal, account, &record);
  if (account->told.count != 0) addToSum(&account->told, &record);
  else bpf_ringbuf_output(&exits, &record, sizeof record, wakeIfHalfFull());
}

// sched_process_exit(task, ...), for each thread. The kernel adds the thread's faults to the process's later. The last
// thread may come here before another that has begun to exit: then both report, and the greater report is right.
SEC("tp_btf/sched_process_exit")
int reportExit(__u64* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct task_struct* const leader = task->group_leader;
  const struct signal_struct* const signal = task->signal;
  struct Account* const account = accountOf(leader);
  if (!account) {
    if (signal->live.counter == 0) add(&shared.lostExits, 1);
    return 0;
  }
  __sync_val_compare_and_swap(&account->goneMinorFaults, 0, signal->min_flt + 1);
  __sync_val_compare_and_swap(&account->goneMajorFaults, 0, signal->maj_flt + 1);
  if (task->pid == task->tgid) account->leaderExited = 1;  // first: a report in between must not have it twice
  add(&account->exitedMinorFaults, task->min_flt);
  add(&account->exitedMajorFaults, task->maj_flt);
  if (signal->live.counter > 0) {
    passOn(task, signal, account);
    return 0;
  }

  struct ProcessRecord record = {};
  account->leaving = record.leaving = givesBackLater(task, signal);
  describeEnd(leader, signal, account, &record);
  if (account->told.count != 0 || bpf_ringbuf_output(&exits, &record, sizeof record, wakeIfHalfFull()) != 0)
    addToSum(&account->told, &record);
  account->ended = 1;
  return 0;
}

#include "platform/sampling/linux/bpf/kernel/sweep/faults.h"
#include "platform/sampling/linux/bpf/kernel/sweep/freeing.h"
