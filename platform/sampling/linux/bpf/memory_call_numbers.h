// The numbers of the system calls that give memory back, for the programs in the kernel.
#pragma once

#include <sys/syscall.h>

#include "platform/sampling/records/sweep_records.h"

namespace faultline {

inline constexpr MemoryCalls kMemoryCalls{.munmap = SYS_munmap,
                                          .mremap = SYS_mremap,
                                          .brk = SYS_brk,
                                          .madvise = SYS_madvise,
                                          .mprotect = SYS_mprotect,
                                          .mmap = SYS_mmap};
// arch/x86/entry/syscalls/syscall_32.tbl; other processors' programs of 32 bits are not told apart.
inline constexpr MemoryCalls kMemoryCalls32{
    .munmap = 91, .mremap = 163, .brk = 45, .madvise = 219, .mprotect = 125, .mmap = 192};

}  // namespace faultline
