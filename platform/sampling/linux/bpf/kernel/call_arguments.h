// Arguments and result of a function that the game calls. For BPF C; include it after libbpf's headers.
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
#pragma unroll
  for (unsigned i = 0; i < sizeof name; ++i)
    if (name[i] != kSurface[i]) return 0;
  return 1;
}
