// The part of watch.bpf.c that delays the game's page faults on request, at their end and after their time was taken,
// in one stretch of frames of every two. The verifier removes all of it from the programs if no delay was asked for.
// Only faults of code outside the kernel are delayed: inside, the thread may hold locks for which other processes wait.
#pragma once

// Of each 100 ms at most 20 ms, all threads together.
static const __u64 kDelayWindow = 100000000;
static const __u64 kMostDelayInWindow = 20000000;
enum { kMostTurns = 1 << 13 };  // each takes more than 12 ns; a delay is 100 us at most

// Frame by frame through the stretches; called at the mark that ends a frame.
static void turnStretch(void) {
  const __u64 frames = __sync_fetch_and_add(&shared.delay.frames, 1) + 1;
  if (frames % kStretchFrames != 0) return;
  const __u64 stretches = frames / kStretchFrames;  // that have ended; in the first none is delayed
  if (stretches % 2 == 1) shared.delay.delaysFirst = bpf_get_prandom_u32() & 1;
  const __u32 first = stretches % 2 == 1;
  const __u32 delayed = first ? shared.delay.delaysFirst : !shared.delay.delaysFirst;
  shared.delay.stretch = (stretches + 1) / 2 * 2 + delayed;
}

static int mayDelay(__u64 now) {
  const __u64 window = shared.delay.window;
  if (now - window >= kDelayWindow && __sync_val_compare_and_swap(&shared.delay.window, window, now) == window)
    shared.delay.addedBefore = shared.delay.added;
  return shared.delay.added - shared.delay.addedBefore + settings.delay <= kMostDelayInWindow;
}

static __u64 timeAway(const struct Thread* thread) {
  return thread->away.waiting + thread->away.blocked;
}

// As little as possible comes after the time was taken: that is delay, too, and is not counted.
// Ends with its collector even if that stands still: it has to renew the time until which faults are delayed. Time in
// which the thread has lost its processor does not count.
static void delayFault(struct Thread* thread) {
  if ((shared.delay.stretch & 1) == 0 || thread->inKernel) return;
  const __u64 began = bpf_ktime_get_ns();
  if (began >= shared.delay.until || !mayDelay(began)) return;
  const __u64 away = timeAway(thread);
  __u64 passed = 0;
  for (__u32 turn = 0; turn < kMostTurns && passed < settings.delay; ++turn)
    passed = bpf_ktime_get_ns() - began - (timeAway(thread) - away);
  thread->added += passed;
  add(&shared.delay.added, passed);
}

// The thread is in a system call that waits for a futex: mostly for another thread. Of 64-bit programs.
static int waitsForFutex(struct task_struct* task) {
  enum { kFutexOnX86 = 202, kFutexOnArm64 = 98, kFutexWaitv = 449, kFutexWait = 455 };
  void* const registers = (void*)bpf_task_pt_regs(task);
  struct pt_regs___x86* const x86 = registers;
  struct pt_regs___arm64* const arm64 = registers;
  long call = -1, futex = 0;
  if (bpf_core_field_exists(x86->di)) {
    call = (long)x86->orig_ax;
    futex = kFutexOnX86;
  } else if (bpf_core_field_exists(arm64->pc)) {
    call = arm64->syscallno;
    futex = kFutexOnArm64;
  }
  return call == futex || call == kFutexWaitv || call == kFutexWait;
}

static struct Thread* threadOutsideFault(struct task_struct* task) {
  if ((__u32)task->tgid != settings.game.process) return 0;
  struct Thread* const thread = bpf_task_storage_get(&threads, task, 0, 0);
  return thread && thread->faultBegan == 0 ? thread : 0;
}

// Runs after switchThreads, which adds up the time that a thread was blocked.
SEC("tp_btf/sched_switch")
int noteFutexWait(__u64* context) {
  struct task_struct* const previous = (void*)context[1];
  struct task_struct* const next = (void*)context[2];
  struct Thread* const leaving = threadOutsideFault(previous);
  if (leaving) {
    leaving->awaits = !staysRunnable(context, previous, settings.tellsState) && waitsForFutex(previous);
    leaving->blockedBefore = leaving->away.blocked;
  }
  struct Thread* const coming = threadOutsideFault(next);
  if (!coming || !coming->awaits) return 0;
  coming->awaits = 0;
  add(&coming->awaited, coming->away.blocked - coming->blockedBefore);
  return 0;
}
