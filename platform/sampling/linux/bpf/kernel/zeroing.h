// Detects allocations of zeroed pages. For BPF C; include it after kernel_types.h.
#pragma once

#include "platform/sampling/records/sweep_records.h"

struct Zeroed {
  __u32 pages;
  __u32 large;      // the pages are one large page
  __u32 unsettled;  // number of pages that their caller may zero later
};

// mm_page_alloc(page, order, gfp_flags, migratetype). Large anonymous folios are cleared by their caller, without the
// flag that asks the allocator for it; no other order above 0 is both movable and denied the reserves.
static inline struct Zeroed zeroedBy(const __u64* context, const struct task_struct* task,
                                     const volatile struct GfpFlags* gfp) {
  struct Zeroed zeroed = {};
  const __u32 order = (__u32)context[1];
  if (order > 0 && context[0] == 0) return zeroed;  // there was no such memory: small pages follow
  const __u32 flags = (__u32)context[2];
  const __u32 zero = flags & gfp->zero;
  const __u32 large = order > 0 && (flags & gfp->movable) && (zero || (flags & gfp->noMemalloc));
  const __u32 pages = 1U << order;
  // Allocations of an interrupt do not belong to the interrupted process.
  if (!zero && gfp->initOnAlloc && (flags & gfp->high) && !(flags & gfp->directReclaim)) return zeroed;
  if (!zero && !gfp->initOnAlloc && !large) {
    if (flags & gfp->highMemory) zeroed.unsettled = pages;
    return zeroed;
  }
  const __u32 copies = !zero && (task->flags & PF_KTHREAD);  // khugepaged and kcompactd copy into their pages
  if (copies && !gfp->initOnAlloc) return zeroed;
  zeroed.pages = pages;
  zeroed.large = large && !copies;
  return zeroed;
}

// Since Linux 7.0 a program at a tracepoint can be preempted, and the kernel then skips it for all other threads of
// that processor. A second program at the same tracepoint counts what the first could not: `counted` is the page of the
// last event of this thread that the first has counted.
static inline int isCounted(__u64* counted, const __u64* context, int second) {
  const int is = second && *counted == context[0];
  *counted = second ? 0 : context[0];
  return is;
}

// A thread's last pages that may be for shared memory, which the kernel clears, or for a copy or a file. Their use is
// known after the kernel has put them in place.
struct Unsettled {
  __u64 page;
  __u32 pages;
  __u32 unused;
};

// Number of these pages that were for shared memory.
static inline __u32 settle(struct Unsettled* unsettled) {
  const __u64 kTmpfs = 0x01021994, kNotOfFile = 3;
  const struct folio* const folio = (const void*)unsettled->page;
  if (!folio) return 0;
  unsettled->page = 0;
  const struct address_space* const mapping = BPF_CORE_READ(folio, mapping);
  if (!mapping || ((__u64)mapping & kNotOfFile)) return 0;
  return BPF_CORE_READ(mapping, host, i_sb, s_magic) == kTmpfs ? unsettled->pages : 0;
}

// The same, and notes the next pages.
static inline __u32 settleFor(struct Unsettled* unsettled, const __u64* context, __u32 pages) {
  const __u32 settled = settle(unsettled);
  unsettled->page = context[0];
  unsettled->pages = pages;
  return settled;
}
