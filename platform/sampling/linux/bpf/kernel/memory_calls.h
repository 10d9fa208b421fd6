// The system call that a thread is in. For BPF C; include it after kernel_types.h.
#pragma once

#include "platform/sampling/records/sweep_records.h"

struct Call {
  __s64 number;  // negative: none, as in a fault of the program
  __u64 arguments[4];
  __u32 is32;  // of a program of 32 bits, which has other numbers
};

// Inlined by order: clang 19 compiles no function of its own that returns a struct.
static __always_inline struct Call callOf(struct task_struct* task) {
  struct Call call = {.number = -1};
  void* const registers = (void*)bpf_task_pt_regs(task);
  struct pt_regs___x86* const x86 = registers;
  struct pt_regs___arm64* const arm64 = registers;
  if (bpf_core_field_exists(x86->orig_ax)) {
    const struct task_struct___x86* const thread = (void*)task;
    call.number = (__s64)x86->orig_ax;
    call.arguments[0] = x86->di;
    call.arguments[1] = x86->si;
    call.arguments[2] = x86->dx;
    call.arguments[3] = x86->r10;
    if (bpf_core_field_exists(thread->thread_info.status)) call.is32 = thread->thread_info.status & 2;  // TS_COMPAT
  } else if (bpf_core_field_exists(arm64->syscallno)) {
    call.number = arm64->syscallno;
    call.arguments[0] = arm64->orig_x0;
    call.arguments[1] = arm64->regs[1];
    call.arguments[2] = arm64->regs[2];
    call.arguments[3] = arm64->regs[3];
  }
  if (!call.is32) return call;
  call.arguments[0] = x86->bx;
  call.arguments[1] = x86->cx;
  call.arguments[3] = x86->si;
  return call;
}

// madvise and brk: as free() and garbage collectors give memory back.
static inline int discards(const struct Call* call, const volatile struct MemoryCalls* calls) {
  return call->number == calls->madvise || call->number == calls->brk;
}

enum { kDontneed = 4, kFree = 8, kRemove = 9, kMoveFixed = 2, kMapFixed = 16 };

// The call may take memory away or find none: as each thread that exits advises about its stack, and each library is
// mapped over the room for it.
static inline int mayTakeNothing(const struct Call* call, const volatile struct MemoryCalls* calls) {
  if (call->number == calls->mmap) return 1;
  if (call->number == calls->mremap) return call->arguments[2] >= call->arguments[1];
  return call->number == calls->madvise && call->arguments[2] == kDontneed;
}

// The call takes memory away, by its arguments.
static inline int takesAway(const struct Call* call, const volatile struct MemoryCalls* calls,
                            const struct mm_struct* mm) {
  const __u64 first = call->arguments[0], second = call->arguments[1], third = call->arguments[2];
  if (call->number == calls->munmap) return 1;
  if (call->number == calls->mremap) return third < second || (call->arguments[3] & kMoveFixed);
  if (call->number == calls->mmap) return (call->arguments[3] & kMapFixed) != 0;
  if (call->number == calls->brk) return first >= mm->start_brk && first < mm->brk;
  return call->number == calls->madvise && (third == kDontneed || third == kFree || third == kRemove);
}
