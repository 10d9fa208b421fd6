// Which allocations of pages are zeroed ones. For C that is compiled for BPF, behind kernel_types.h.
#pragma once

#include "platform/linux/bpf/records.h"

struct Zeroed {
  __u32 pages;
  __u32 large;  // they are one large page
};

// mm_page_alloc(page, order, gfp_flags, migratetype). Large anonymous folios are cleared by their caller, so the flag
// that asks the allocator for it is not set; no other order above 0 is both movable and denied the reserves.
static inline struct Zeroed zeroedBy(const __u64* context, const struct task_struct* task,
                                     const volatile struct GfpFlags* gfp) {
  struct Zeroed zeroed = {};
  const __u32 order = (__u32)context[1];
  const __u32 flags = (__u32)context[2];
  const __u32 zero = flags & gfp->zero;
  const __u32 large = order > 0 && (flags & gfp->movable) && (zero || (flags & gfp->noMemalloc));
  if (!zero && !large) return zeroed;
  if (!zero && (task->flags & PF_KTHREAD)) return zeroed;  // khugepaged and kcompactd copy into theirs
  zeroed.pages = 1U << order;
  zeroed.large = large;
  return zeroed;
}
