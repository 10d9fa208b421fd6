// Which allocations of pages are zeroed ones. For C that is compiled for BPF, behind kernel_types.h.
#pragma once

#include "platform/sampling/records/sweep_records.h"

struct Zeroed {
  __u32 pages;
  __u32 large;      // they are one large page
  __u32 unsettled;  // so many may be zeroed later, by whoever asked for them
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
  const __u32 pages = 1U << order;
  // An interrupt's are not of the process that it has come upon.
  if (!zero && gfp->initOnAlloc && (flags & gfp->high) && !(flags & gfp->directReclaim)) return zeroed;
  if (!zero && !gfp->initOnAlloc && !large) {
    if (flags & gfp->highMemory) zeroed.unsettled = pages;
    return zeroed;
  }
  const __u32 copies = !zero && (task->flags & PF_KTHREAD);  // khugepaged and kcompactd copy into theirs
  if (copies && !gfp->initOnAlloc) return zeroed;
  zeroed.pages = pages;
  zeroed.large = large && !copies;
  return zeroed;
}

// The last pages that a thread was given for something that may be shared memory, which the kernel clears itself,
// copies and files alike: what it was for is seen once it has its place.
struct Unsettled {
  __u64 page;
  __u32 pages;
  __u32 unused;
};

// How many of them were for shared memory.
static inline __u32 settle(struct Unsettled* unsettled) {
  const __u64 kTmpfs = 0x01021994, kNotOfFile = 3;
  const struct folio* const folio = (const void*)unsettled->page;
  if (!folio) return 0;
  unsettled->page = 0;
  const struct address_space* const mapping = BPF_CORE_READ(folio, mapping);
  if (!mapping || ((__u64)mapping & kNotOfFile)) return 0;
  return BPF_CORE_READ(mapping, host, i_sb, s_magic) == kTmpfs ? unsettled->pages : 0;
}

// The same, and takes note of those to come.
static inline __u32 settleFor(struct Unsettled* unsettled, const __u64* context, __u32 pages) {
  const __u32 settled = settle(unsettled);
  unsettled->page = context[0];
  unsettled->pages = pages;
  return settled;
}
