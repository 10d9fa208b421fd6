// Whose memory a page is. For BPF C; include it after kernel_types.h.
#pragma once

// The page of mm_page_free(page, order) belongs to anonymous or shared memory, not to a file or the kernel. The kernel
// clears the flag, whose bit is `ownMemory`, of anonymous pages that it may drop (MADV_FREE), but not the mark in
// `mapping`. A page begins with its flags.
static inline int isOwnMemory(const __u64* context, __u32 ownMemory) {
  const struct folio* const folio = (const void*)context[0];
  if (*(const __u64*)context[0] & (1ULL << ownMemory)) return 1;
  return (__u64)BPF_CORE_READ(folio, mapping) & 1;
}
