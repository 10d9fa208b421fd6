// The part of watch.bpf.c that tells which programs ran on the processor for which the thread that ends frames waited.
// The cost for others is a comparison per switch of threads.
#pragma once

// If others have taken all places, the one that ran least loses its place to one that has run for longer.
static void addNeighbour(struct Wait* wait, const struct task_struct* task, __u64 took) {
  __u64 name[2] = {};
  const struct task_struct* const named = (__u32)task->tgid == settings.game.process ? task : task->group_leader;
  struct Neighbour* least = &wait->neighbours[0];
  bpf_core_read_str(name, sizeof name, &named->comm);
#pragma unroll
  for (int i = 0; i < kNeighbours; ++i) {
    struct Neighbour* const one = &wait->neighbours[i];
    if (one->name[0] == name[0] && one->name[1] == name[1]) {
      one->time += took;
      return;
    }
    if (one->time < least->time) least = one;
  }
  if (took <= least->time) return;
  least->name[0] = name[0];
  least->name[1] = name[1];
  least->time = took;
}

// `previous` has run on this processor, `next` will. The processor itself is nobody when it is idle.
static void noteSwitch(const struct task_struct* previous, const struct task_struct* next, int stays) {
  struct Wait* const wait = &shared.wait;
  const __u32 thread = wait->thread;
  if (thread == 0) return;
  const int comes = (__u32)next->pid == thread, leaves = (__u32)previous->pid == thread;
  if (wait->processor == 0 && !leaves) return;
  const __u32 here = bpf_get_smp_processor_id() + 1;
  if (!leaves && !comes && wait->processor != here) return;
  const __u64 now = bpf_ktime_get_ns();
  if (wait->processor != 0 && !leaves && previous->pid != 0) addNeighbour(wait, previous, now - wait->since);
  wait->since = now;
  if (comes || leaves) wait->processor = leaves && stays ? here : 0;
}

// Before the wake is noted in `absence`.
static void noteWake(struct task_struct* task, const struct Absence* absence) {
  const struct task_struct___since516* const since516 = (const void*)task;
  const struct task_struct___before516* const before516 = (const void*)task;
  struct Wait* const wait = &shared.wait;
  if ((__u32)task->pid != wait->thread || absence->since == 0 || !absence->isBlocked) return;
  wait->since = bpf_ktime_get_ns();
  if (bpf_core_field_exists(since516->thread_info.cpu)) wait->processor = BPF_CORE_READ(since516, thread_info.cpu) + 1;
  else wait->processor = BPF_CORE_READ(before516, cpu) + 1;
}

// At a mark that ends frames: the program that ran longest since the last one, if that was the same thread's.
static void tellWait(const struct task_struct* task, struct Neighbour* told) {
  struct Wait* const wait = &shared.wait;
  const int known = wait->thread == (__u32)task->pid;
  wait->thread = (__u32)task->pid;
  wait->processor = 0;
#pragma unroll
  for (int i = 0; i < kNeighbours; ++i) {
    struct Neighbour* const one = &wait->neighbours[i];
    if (known && one->time > told->time) *told = *one;
    one->time = one->name[0] = one->name[1] = 0;
  }
}
