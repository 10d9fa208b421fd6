// The part of watch.bpf.c that sees the marks of frames: at a function of the game, or at a system call of it.
#pragma once

// The first two arguments of the game's call; in a call of the game's own mark: mark and number.
static void readArguments(struct task_struct* task, __u64* mark, __u64* number) {
  void* const registers = (void*)bpf_task_pt_regs(task);
  struct pt_regs___x86* const x86 = registers;
  struct pt_regs___arm64* const arm64 = registers;
  if (bpf_core_field_exists(x86->di)) {
    *mark = x86->di;
    *number = x86->si;
  } else if (bpf_core_field_exists(arm64->pc)) {
    *mark = arm64->regs[0];
    *number = arm64->regs[1];
  }
}

// At the return of a function.
static __u64 resultOf(struct task_struct* task) {
  void* const registers = (void*)bpf_task_pt_regs(task);
  struct pt_regs___x86* const x86 = registers;
  struct pt_regs___arm64* const arm64 = registers;
  if (bpf_core_field_exists(x86->ax)) return x86->ax;
  return bpf_core_field_exists(arm64->pc) ? arm64->regs[0] : 0;
}

// Without a branch per byte: the verifier would try each way through all of them.
static int isName(const char* name, const char* other, unsigned bytes) {
  int differs = 0;
#pragma unroll
  for (unsigned i = 0; i < bytes; ++i) differs |= name[i] ^ other[i];
  return differs == 0;
}

// wl_proxy_marshal_flags(proxy, request, ...): a proxy begins with a pointer to its interface, which begins with a
// pointer to its name (wayland-util.h, struct wl_interface); commit is the seventh request of wl_surface (wayland.xml).
static int commitsSurface(struct task_struct* task) {
  const __u64 kCommit = 6;
  const char kSurface[] = "wl_surface";
  char name[sizeof kSurface] = {};
  __u64 proxy = 0, request = 0;
  const void *interface = 0, *text = 0;
  readArguments(task, &proxy, &request);
  if ((__u32)request != kCommit || bpf_probe_read_user(&interface, sizeof interface, (void*)proxy) != 0 ||
      bpf_probe_read_user(&text, sizeof text, interface) != 0 || bpf_probe_read_user(name, sizeof name, text) != 0)
    return 0;
  return isName(name, kSurface, sizeof name);
}

// Of the game. A function's first call is not reported: after it the game may fault for the page on which it steps over
// a probe.
static int tellMark(struct task_struct* task, __u64 which, __u64 number) {
  if (shared.began == 0) __sync_val_compare_and_swap(&shared.began, 0, bpf_ktime_get_ns());
  struct Thread* const thread = threadOf(task, 0, 0);
  if (!thread) return 0;
  catchUp(task, thread);
  leaveFaults(task, thread);
  if (which >= kMostMarks) return 0;
  if (!settings.ownMarks) number = __sync_fetch_and_add(&shared.calls[which], 1) + 1;
  if (settings.ownMarks || number > 1) note(task, thread, (__u32)which, number);
  if (shared.chosen == 0 || shared.chosen == which + 1) shared.timeAtMark = shared.process.faultTime;
  if (settings.delay != 0 && shared.chosen == which + 1) turnStretch();
  return 0;
}

SEC("uprobe")
int mark(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  __u64 which = bpf_get_attach_cookie(context);
  if (!isGame(task) || ((which & kSurfaceCommits) && !commitsSurface(task))) return 0;
  which &= kSurfaceCommits - 1;
  __u64 number = 0;
  if (settings.ownMarks) readArguments(task, &which, &number);
  return tellMark(task, which, number);
}

// vkGetDeviceProcAddr(device, name) hands a game the functions of its driver. The name is read at the return, because
// the page that holds it may not be in memory before. Of lookups at the same moment only one is seen.
SEC("uprobe")
int beginLookup(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  __u64 device = 0, name = 0;
  if (!isGame(task)) return 0;
  readArguments(task, &device, &name);
  shared.lookupName = name;
  shared.lookupThread = task->pid;
  return 0;
}

SEC("uprobe")
int endLookup(void* context) {
  const char kPresent[] = "vkQueuePresentKHR";
  char name[sizeof kPresent] = {};
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!isGame(task) || shared.lookupThread != (__u32)task->pid) return 0;
  shared.lookupThread = 0;
  if (bpf_probe_read_user(name, sizeof name, (void*)shared.lookupName) != 0) return 0;
  if (!isName(name, kPresent, sizeof name)) return 0;
  const __u64 function = resultOf(task);
  if (function != 0) shared.handedOut = function;
  return 0;
}

// Identifies the breakpoint by its instruction: threads that inherit a breakpoint do not inherit its cookie.
SEC("perf_event")
int markAtBreakpoint(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!isGame(task)) return 0;
  struct pt_regs___x86* const x86 = (void*)bpf_task_pt_regs(task);
  if (!bpf_core_field_exists(x86->ip)) return 0;
  const __u64 place = x86->ip;
  __u32 which = 0;
#pragma unroll
  for (__u32 i = 0; i < kMostBreakpoints; ++i)
    if (settings.breakpoints[i] != 0 && settings.breakpoints[i] == place) which = i + 1;
  if (which == 0 || ((settings.commits >> (which - 1) & 1) && !commitsSurface(task))) return 0;
  return tellMark(task, which - 1, 0);
}

// getrusage(task, who, ...): at each of its marks the game calls it for the process, for the thread, which in a process
// of one thread is the same, or for the process and then the thread; and maybe elsewhere.
SEC("fentry/getrusage")
int markAtGetrusage(__u64* context) {
  enum { kOfProcess = 0, kOfThread = 1, kSameMark = 100000 };  // ns
  struct task_struct* const task = bpf_get_current_task_btf();
  const __u32 who = (__u32)context[1];
  if ((who != kOfProcess && who != kOfThread) || !isGame(task)) return 0;
  struct Thread* const thread = bpf_task_storage_get(&threads, task, 0, 0);
  const __u64 now = bpf_ktime_get_ns();
  if (thread && who == kOfThread && now - thread->askedOfProcess < kSameMark) return 0;
  if (thread && who == kOfProcess) thread->askedOfProcess = now;
  return tellMark(task, shared.chosen != 0 ? shared.chosen - 1 : 0, 0);
}
