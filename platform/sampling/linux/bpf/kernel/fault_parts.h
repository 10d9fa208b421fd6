// The parts of a fault's time, from the scheduler's events of its thread. For BPF C; include it after libbpf's headers.
#pragma once

#include "platform/sampling/records/sweep_records.h"

// Time of a thread off its processor.
struct Absence {
  __u64 since;  // when the thread left its processor or was woken; 0: the thread is on a processor
  __u64 waiting;
  __u64 blocked;
  __u64 forDisk;    // part of blocked
  __u64 ran;        // the thread's time on processors when it left
  __u64 clock;      // of that time, behind CLOCK_MONOTONIC
  __u32 isBlocked;  // since then; else the thread waits for a processor
  __u32 onDisk;     // blocked, and the kernel accounts the time as waiting for the disk
};

// sched_switch(preempt, previous, next, state of previous): a thread that was preempted, or is not asleep, stays
// runnable. Before 5.18 there is no argument for the state, which is read from the thread.
static inline int staysRunnable(const __u64* context, const struct task_struct* previous, __u32 tellsState) {
  const struct task_struct___before514* const old = (const void*)previous;
  if ((__u8)context[0]) return 1;
  if (tellsState) return (__u32)context[3] == 0;
  if (bpf_core_field_exists(previous->__state)) return previous->__state == 0;
  return BPF_CORE_READ(old, state) == 0;
}

static inline void beginAbsence(struct Absence* absence) {
  absence->since = absence->waiting = absence->blocked = absence->forDisk = 0;
}

static inline void addAway(struct Absence* absence, __u64 time) {
  if (!absence->isBlocked) {
    absence->waiting += time;
    return;
  }
  absence->blocked += time;
  if (absence->onDisk) absence->forDisk += time;
}

// Of a thread that is on a processor. Some kernels report no switch from a process that they hide, and so not that the
// thread took its processor: then it was away for as long as it did not run.
static inline void endUnseenAbsence(struct Absence* absence, const struct task_struct* task) {
  if (absence->since == 0) return;
  const __u64 now = bpf_ktime_get_ns();
  const __u64 ran = task->se.sum_exec_runtime - absence->ran + (now - absence->clock - task->se.exec_start);
  const __s64 took = (__s64)(now - absence->since - ran);
  if (took > 0) addAway(absence, took);
  absence->since = 0;
}

static inline void leaveProcessor(struct Absence* absence, const struct task_struct* task, int runnable) {
  endUnseenAbsence(absence, task);
  absence->isBlocked = !runnable;
  absence->onDisk = !runnable && BPF_CORE_READ_BITFIELD(task, in_iowait);
  absence->since = bpf_ktime_get_ns();
  absence->ran = task->se.sum_exec_runtime;
  absence->clock = absence->since - task->se.exec_start;
}

static inline void wake(struct Absence* absence) {
  if (absence->since == 0 || !absence->isBlocked) return;
  const __u64 now = bpf_ktime_get_ns();
  addAway(absence, now - absence->since);
  absence->isBlocked = 0;
  absence->since = now;
}

// Returns how long the thread has waited for the processor.
static inline __u64 takeProcessor(struct Absence* absence) {
  if (absence->since == 0) return 0;
  const __u64 took = bpf_ktime_get_ns() - absence->since;
  addAway(absence, took);
  absence->since = 0;
  return absence->isBlocked ? 0 : took;
}

// The parts of a fault that took `whole`, limited to its sum: the thread may have been preempted after the fault's end.
static inline struct FaultParts partsOf(const struct Absence* absence, __u64 whole) {
  struct FaultParts parts;
  parts.blocked = absence->blocked < whole ? absence->blocked : whole;
  parts.forDisk = absence->forDisk < parts.blocked ? absence->forDisk : parts.blocked;
  whole -= parts.blocked;
  parts.waiting = absence->waiting < whole ? absence->waiting : whole;
  parts.onProcessor = whole - parts.waiting;
  return parts;
}

static inline void addParts(struct FaultParts* sum, const struct FaultParts* parts) {
  __sync_fetch_and_add(&sum->onProcessor, parts->onProcessor);
  if (parts->waiting) __sync_fetch_and_add(&sum->waiting, parts->waiting);
  if (parts->blocked) __sync_fetch_and_add(&sum->blocked, parts->blocked);
  if (parts->forDisk) __sync_fetch_and_add(&sum->forDisk, parts->forDisk);
}
