// How handle_mm_fault(area, address, flags, registers) ends, as the kernel itself accounts for it (mm_account_fault). For
// C that is compiled for BPF, behind kernel_types.h.
#pragma once

enum { kFaultArea, kFaultAddress, kFaultFlags, kFaultRegisters, kFaultResult };  // what a program is given

enum FaultOutcome { kFaultMinor, kFaultMajor, kFaultRetried, kFaultFailed };

// By an access; else somebody has asked for the page in advance.
static inline int isTrap(const __u64* context) {
  return context[kFaultRegisters] != 0;
}

// include/linux/mm_types.h; unchanged from 5.14 on. One that gave up the lock and succeeds when tried again is major.
static inline enum FaultOutcome outcomeOf(const __u64* context) {
  enum { kMajor = 0x4, kErrors = 0x1 | 0x2 | 0x10 | 0x20 | 0x40 | 0x800, kRetry = 0x400, kTried = 0x20 };
  const __u32 result = (__u32)context[kFaultResult];
  if (result & kRetry) return kFaultRetried;
  if (result & kErrors) return kFaultFailed;
  return (result & kMajor) || ((__u32)context[kFaultFlags] & kTried) ? kFaultMajor : kFaultMinor;
}
