// The outcome of handle_mm_fault(area, address, flags, registers), by the rules of the kernel's own accounting
// (mm_account_fault). For BPF C; include it after kernel_types.h.
#pragma once

enum { kFaultArea, kFaultAddress, kFaultFlags, kFaultRegisters, kFaultResult };  // a program's arguments

enum FaultOutcome { kFaultMinor, kFaultMajor, kFaultRetried, kFaultFailed };

// The fault has an access as its cause; else the page is populated in advance.
static inline int isTrap(const __u64* context) {
  return context[kFaultRegisters] != 0;
}

static inline int byUser(const __u64* context) {
  return ((__u32)context[kFaultFlags] & 0x40) != 0;  // FAULT_FLAG_USER
}

// The error code of x86: bit 1: write; 2: from user mode; 4: instruction fetch.
static inline __u64 errorCodeOf(const __u64* context) {
  const __u32 flags = (__u32)context[kFaultFlags];
  return (flags & 0x1 ? 2 : 0) | (byUser(context) ? 4 : 0) | (flags & 0x100 ? 16 : 0);
}

// include/linux/mm_types.h; unchanged since 5.14. A fault that released the lock and succeeds when retried is major.
static inline enum FaultOutcome outcomeOf(const __u64* context) {
  enum { kMajor = 0x4, kErrors = 0x1 | 0x2 | 0x10 | 0x20 | 0x40 | 0x800, kRetry = 0x400, kTried = 0x20 };
  const __u32 result = (__u32)context[kFaultResult];
  if (result & kRetry) return kFaultRetried;
  if (result & kErrors) return kFaultFailed;
  return (result & kMajor) || ((__u32)context[kFaultFlags] & kTried) ? kFaultMajor : kFaultMinor;
}
