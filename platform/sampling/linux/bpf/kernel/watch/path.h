// The part of watch.bpf.c that follows the path of a frame: while a thread sleeps, it waits for the thread that wakes
// it, and so for what that thread did meanwhile; also for the threads for which that one waited. An interrupt, such as
// a timer's, is no thread: whichever thread it has interrupted is the current task then, and no waker.
#pragma once

enum Interrupt { kTimerInterrupt = 1, kDeviceInterrupt = 2, kSoftInterrupt = 4 };

struct {
  __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
  __uint(max_entries, 1);
  __type(key, __u32);
  __type(value, __u32);
} interrupts SEC(".maps");

static __u32* interruptsNow(void) {
  const __u32 key = 0;
  return bpf_map_lookup_elem(&interrupts, &key);
}

// No kind is inside another of the same kind but a timer inside a soft interrupt's, where kSoftInterrupt remains.
static int enterInterrupt(enum Interrupt kind) {
  __u32* const now = interruptsNow();
  if (now) *now |= kind;
  return 0;
}

static int leaveInterrupt(enum Interrupt kind) {
  __u32* const now = interruptsNow();
  if (now) *now &= ~kind;
  return 0;
}

SEC("tp_btf/hrtimer_expire_entry")
int enterTimer(void* context) {
  return enterInterrupt(kTimerInterrupt);
}

SEC("tp_btf/hrtimer_expire_exit")
int leaveTimer(void* context) {
  return leaveInterrupt(kTimerInterrupt);
}

SEC("tp_btf/irq_handler_entry")
int enterDevice(void* context) {
  return enterInterrupt(kDeviceInterrupt);
}

SEC("tp_btf/irq_handler_exit")
int leaveDevice(void* context) {
  return leaveInterrupt(kDeviceInterrupt);
}

SEC("tp_btf/softirq_entry")
int enterSoft(void* context) {
  return enterInterrupt(kSoftInterrupt);
}

SEC("tp_btf/softirq_exit")
int leaveSoft(void* context) {
  return leaveInterrupt(kSoftInterrupt);
}

// Outside faults, which note theirs. Shorter ones are left out, as nearly each wake has one.
static void noteWait(struct task_struct* task, __u64 took) {
  enum { kShortWait = 1 << 14 };
  if (took < kShortWait || !settings.followsPath) return;
  struct Thread* const thread = bpf_task_storage_get(&threads, task, 0, 0);
  if (!thread || thread->faultBegan != 0) return;
  const __u64 now = bpf_ktime_get_ns();
  const struct Run run = {.begin = now - took, .end = now, .waiting = took};
  addToPath(&thread->path, &run);
}

static void noteFaultOnPath(struct Thread* thread, const struct FaultParts* parts, __u64 end) {
  const struct Run run = {.begin = thread->faultBegan,
                          .end = end,
                          .faults = parts->onProcessor + parts->blocked,
                          .waiting = parts->waiting};
  addToPath(&thread->path, &run);
}

static void noteTeardownOnPath(struct Thread* thread, __u64 began, __u64 end, __u64 took) {
  const struct Run run = {.begin = began, .end = end, .teardown = took};
  addToPath(&thread->path, &run);
}

// A thread without faults, as with a stack that an earlier one has left, may wait for others.
SEC("tp_btf/sched_process_fork")
int noteThread(__u64* context) {
  struct task_struct* const child = (void*)context[1];
  if ((__u32)child->tgid == settings.game.process && isPlaying(bpf_get_current_task_btf())) threadOf(child, 0, 0);
  return 0;
}

SEC("tp_btf/sched_waking")
int noteWaker(__u64* context) {
  struct task_struct* const task = (void*)context[0];
  struct task_struct* const waker = bpf_get_current_task_btf();
  if ((__u32)task->tgid != settings.game.process || (__u32)waker->tgid != settings.game.process) return 0;
  const __u32* const now = interruptsNow();
  if (!now || *now != 0) return 0;
  struct Thread* const sleeper = bpf_task_storage_get(&threads, task, 0, 0);
  if (!sleeper || sleeper->faultBegan != 0 || sleeper->away.since == 0 || !sleeper->away.isBlocked) return 0;
  const __u64 since = sleeper->away.since, end = bpf_ktime_get_ns();
  struct AwaitedSums sums = {};
  const struct Thread* const worker = bpf_task_storage_get(&threads, waker, 0, 0);
  if (worker) {
    addPathSince(&sums, &worker->path, since);
    if (worker->faultBegan != 0) addFaults(&sums, 0, end - (worker->faultBegan > since ? worker->faultBegan : since));
  }
  if (end <= since) return 0;
  struct PathSums* const path = &sums.path;
  path->game = end - since;
  if (path->faults > path->game) path->faults = path->game;
  if (path->teardown > path->game - path->faults) path->teardown = path->game - path->faults;
  const __u64 left = path->game - path->faults - path->teardown;
  if (path->waiting > left) path->waiting = left;
  sleeper->waitedFor.path.game += path->game;
  if (path->faults + path->teardown + path->waiting == 0) return 0;
  sleeper->waitedFor.path.waiting += path->waiting;
  sleeper->waitedFor.path.teardown += path->teardown;
  sleeper->waitedFor.path.faults += path->faults;
  const __u32 thread = sums.most.thread != 0 ? sums.most.thread : threadId(waker);
  vote(&sleeper->waitedFor.most, thread, sums.most.time < path->faults ? sums.most.time : path->faults);
  const struct Run run = {.begin = since,
                          .end = end,
                          .faults = path->faults,
                          .teardown = path->teardown,
                          .waiting = path->waiting,
                          .thread = thread};
  addToPath(&sleeper->path, &run);
  return 0;
}
