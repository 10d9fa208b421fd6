/* faultline_count.h: counts what a stretch of code costs in page faults and CPU time. Copy this file into your program;
 * it has no dependencies.
 *
 *   #include "faultline_count.h"
 *   struct faultline_counts before = faultline_count();
 *   parse(text);
 *   struct faultline_counts cost = faultline_count_since(before);
 *   printf("%llu page faults\n", (unsigned long long)cost.faults);
 *
 * The counts are of the whole process, all its threads included, and exact: the kernel keeps them. A call is one or two
 * system calls (some hundred nanoseconds), takes no locks, and allocates nothing. A first touch of a page is a fault,
 * so a second turn over the same memory has fewer: let a stretch run once before counting it if its first turn is
 * special.
 *
 * Requires C99 or C++. Linux and other POSIX systems: getrusage() and clock_gettime(). Windows 7 or later: soft and
 * hard faults are one count there, which wraps at 2^32, so major_faults is 0; CPU time goes by the ticks of the
 * system's clock (15.6 ms). That part was compiled with mingw-w64; never with Microsoft's compiler. Wine counts no
 * faults.
 *
 * Unlike the rest of Faultline, this file is under the MIT No Attribution licence (SPDX-License-Identifier: MIT-0): any
 * program may contain a copy. There is no warranty of any kind.
 */
#ifndef FAULTLINE_COUNT_H
#define FAULTLINE_COUNT_H

#include <stdint.h>
#if defined(_WIN32)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#ifndef PSAPI_VERSION
#define PSAPI_VERSION 2 /* GetProcessMemoryInfo of kernel32.dll */
#endif
/* clang-format off */
#include <windows.h>
#include <psapi.h>
/* clang-format on */
#else
#include <sys/resource.h>
#include <time.h>
#endif

struct faultline_counts {
  uint64_t faults;       /* minor and major */
  uint64_t major_faults; /* of these: needed the disk */
  uint64_t cpu_ns;       /* CPU time of all threads, user and kernel */
};

/* Of this process since it started. */
static inline struct faultline_counts faultline_count(void) {
  struct faultline_counts now = {0, 0, 0};
#if defined(_WIN32)
  PROCESS_MEMORY_COUNTERS memory;
  FILETIME created, ended, kernel, user;
  if (GetProcessMemoryInfo(GetCurrentProcess(), &memory, sizeof(memory))) now.faults = memory.PageFaultCount;
  if (GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user))
    now.cpu_ns = 100 * (((uint64_t)kernel.dwHighDateTime << 32) + kernel.dwLowDateTime +
                        ((uint64_t)user.dwHighDateTime << 32) + user.dwLowDateTime);
#else
  struct rusage usage;
  struct timespec cpu;
  if (getrusage(RUSAGE_SELF, &usage) == 0) {
    now.major_faults = (uint64_t)usage.ru_majflt;
    now.faults = (uint64_t)usage.ru_minflt + now.major_faults;
  }
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &cpu) == 0)
    now.cpu_ns = (uint64_t)cpu.tv_sec * 1000000000u + (uint64_t)cpu.tv_nsec;
#endif
  return now;
}

/* What the process has spent since. */
static inline struct faultline_counts faultline_count_since(struct faultline_counts before) {
  struct faultline_counts cost = faultline_count();
#if defined(_WIN32)
  cost.faults = (uint32_t)(cost.faults - before.faults); /* the count wraps */
#else
  cost.faults -= before.faults;
#endif
  cost.major_faults -= before.major_faults;
  cost.cpu_ns -= before.cpu_ns;
  return cost;
}

#endif
