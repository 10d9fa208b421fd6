// The part of programs.bpf.c that times faults. Faults begin at the exceptions' tracepoints. Pages populated in advance
// (MAP_POPULATE), and all faults on processors without these tracepoints, begin when handle_mm_fault() is entered.
// Faults end when that function returns, or with the perf event of their accounting.
#pragma once

static int beginFault(void) {
  const __u32 now = shared.attention;
  if (now == 0) return 0;
  struct Account* const account = accountOf(bpf_get_current_task_btf());
  if (!account) return 0;
  account->faultBegan = 0;  // until it is set below, no switch of threads is a part of the fault
  barrier();
  account->attention = now;
  account->retriedAt = 0;
  beginAbsence(&account->absence);
  forgetEfforts(&account->efforts);
  barrier();
  account->faultBegan = bpf_ktime_get_ns();
  return 0;
}

SEC("tp_btf/page_fault_user")
int beginUserFault(void* context) {
  return beginFault();
}

SEC("tp_btf/page_fault_kernel")
int beginKernelFault(void* context) {
  return beginFault();
}

// A fault that never ended, such as a SIGSEGV, leaves its beginning behind: the next fault overwrites it, or it belongs
// to another period of attention.
static struct Account* inFault(struct task_struct* task) {
  struct Account* const own = bpf_task_storage_get(&accounts, task, 0, 0);
  return own && own->faultBegan != 0 && own->attention == shared.attention ? own : 0;
}

// A large page is cleared after it was allocated: on a machine whose host backs memory late, ten times as long as a
// page that the host already backs.
static void noteLarge(struct task_struct* task) {
  struct Account* const own = shared.attention != 0 ? inFault(task) : 0;
  if (!own) return;
  own->awayBeforeLarge = own->absence.waiting + own->absence.blocked;
  own->gotLarge = bpf_ktime_get_ns();
}

// A kernel that clears all memory that it allocates (init_on_alloc) does so before it tells the allocation: there the
// whole fault counts, without what it took to make memory free.
static void addLarge(struct ProcessTotals* sum, const struct Account* own, __u64 began, __u64 now) {
  __u64 took = now - own->gotLarge;
  __u64 away = own->absence.waiting + own->absence.blocked;
  if (settings.gfp.initOnAlloc) {
    took = now - began;
    away += own->efforts.reclaim.spent + own->efforts.compaction.spent;
  } else {
    away -= own->awayBeforeLarge;
  }
  if (took > away) add(&sum->largeZeroingTime, took - away);
}

static int endFault(struct task_struct* task, struct Account* own, int major) {
  struct task_struct* const leader = task->group_leader;
  const __u64 began = own->faultBegan, now = bpf_ktime_get_ns(), time = now - began;
  own->faultBegan = 0;
  if (!shared.timed) shared.timed = 1;
  struct Account* const account = task->pid == task->tgid ? own : accountOf(leader);
  if (!account) return 0;
  const __u32 settled = settle(&own->unsettled);
  if (settled) add(&account->totals.zeroedPages, settled);
  add(&account->totals.faultTime, time);
  add(&account->totals.timedFaults, 1);
  if (settings.splitsFaults) {
    endUnseenAbsence(&own->absence, task);
    const struct FaultParts parts = partsOf(&own->absence, time);
    addParts(&account->totals.parts, &parts);
    if (own->gotLarge > began) addLarge(&account->totals, own, began, now);
  }
  addEffort(&account->totals.reclaimTime, &own->efforts.reclaim);
  addEffort(&account->totals.compactionTime, &own->efforts.compaction);
  if (major) {
    add(&account->totals.majorFaultTime, time);
    add(&account->totals.timedMajorFaults, 1);
  }
  countDuration(time);
  return 0;
}

SEC("fentry/handle_mm_fault")
int enterFault(__u64* context) {
  if (shared.attention == 0 || (isTrap(context) && !settings.faultsBeginAtEntry)) return 0;
  const struct Account* const own = inFault(bpf_get_current_task_btf());
  if (own && own->retriedAt == context[kFaultAddress]) return 0;
  return beginFault();
}

SEC("fexit/handle_mm_fault")
int leaveFault(__u64* context) {
  if (shared.attention == 0) return 0;
  struct task_struct* const task = bpf_get_current_task_btf();
  struct Account* const own = inFault(task);
  if (!own) return 0;
  switch (outcomeOf(context)) {
    case kFaultRetried:
      own->retriedAt = context[kFaultAddress];
      return 0;
    case kFaultFailed:
      own->faultBegan = 0;
      return 0;
    case kFaultMinor:
      return endFault(task, own, 0);
    default:
      return endFault(task, own, 1);
  }
}

static int endCounted(int major) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct Account* const own = inFault(task);
  return own ? endFault(task, own, major) : 0;
}

SEC("perf_event")
int endMinorFault(void* context) {
  return endCounted(0);
}

SEC("perf_event")
int endMajorFault(void* context) {
  return endCounted(1);
}

// Cost for threads outside of faults: two lookups of their storage per switch, one per wake-up.
static struct Absence* absenceOf(struct task_struct* task) {
  struct Account* const own = shared.attention != 0 ? inFault(task) : 0;
  return own ? &own->absence : 0;
}

static void noteSwitch(const struct task_struct* previous, const struct task_struct* next, int stays) {}
static void noteWait(struct task_struct* task, __u64 took) {}
static void noteWake(const struct task_struct* task, const struct Absence* absence) {}

#include "platform/sampling/linux/bpf/kernel/switches.h"

static struct Efforts* effortsNow(void) {
  struct Account* const own = shared.attention != 0 ? inFault(bpf_get_current_task_btf()) : 0;
  return own ? &own->efforts : 0;
}

#include "platform/sampling/linux/bpf/kernel/reclaiming.h"
