// How handle_mm_fault(area, address, flags, registers) ends, as the kernel itself accounts for it (mm_account_fault).
// For C that is compiled for BPF, behind kernel_types.h.
#pragma once

enum { kFaultArea, kFaultAddress, kFaultFlags, kFaultRegisters, kFaultResult };  // what a program is given

enum FaultOutcome { kFaultMinor, kFaultMajor, kFaultRetried, kFaultFailed };

// By an access; else somebody has asked for the page in advance.
static inline int isTrap(const __u64* context) {
  return context[kFaultRegisters] != 0;
}

static inline int byUser(const __u64* context) {
  return ((__u32)context[kFaultFlags] & 0x40) != 0;  // FAULT_FLAG_USER
}

// As an x86 processor would put it: bit 1, it writes; 2, it comes from user space; 4, it fetches code.
static inline __u64 errorCodeOf(const __u64* context) {
  const __u32 flags = (__u32)context[kFaultFlags];
  return (flags & 0x1 ? 2 : 0) | (byUser(context) ? 4 : 0) | (flags & 0x100 ? 16 : 0);
}

// include/linux/mm_types.h; unchanged from 5.14 on. One that gave up the lock and succeeds when tried again is major.
static inline enum FaultOutcome outcomeOf(const __u64* context) {
  enum { kMajor = 0x4, kErrors = 0x1 | 0x2 | 0x10 | 0x20 | 0x40 | 0x800, kRetry = 0x400, kTried = 0x20 };
  const __u32 result = (__u32)context[kFaultResult];
  if (result & kRetry) return kFaultRetried;
  if (result & kErrors) return kFaultFailed;
  return (result & kMajor) || ((__u32)context[kFaultFlags] & kTried) ? kFaultMajor : kFaultMinor;
}
