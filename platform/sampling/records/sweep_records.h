// The records of the BPF sweep, in C and C++ alike. A sweep is a ThreadRecord per thread; that of the first thread is
// the head of a ProcessRecord. A ProcessRecord of tid 0 has the memory of a process whose first thread has ended. Pids
// are those of the initial namespace; times are in ns, sizes in pages.
#pragma once

struct ThreadRecord {
  unsigned int tid;
  unsigned int pid;
  unsigned long long minorFaults;
  unsigned long long majorFaults;
  unsigned long long deadMinorFaults;  // of threads of the process that ended before this record
  unsigned long long deadMajorFaults;
};

// The parts of the time in faults; their sum is that time.
struct FaultParts {
  unsigned long long onProcessor;
  unsigned long long waiting;  // runnable, for a processor
  unsigned long long blocked;  // for anything else: the disk, a lock
  unsigned long long forDisk;  // part of blocked
};

// Sums that the BPF programs count per process: nothing but numbers of 64 bits.
struct ProcessTotals {
  unsigned long long zeroedPages;
  unsigned long long zeroedLargePages;  // part of zeroedPages
  unsigned long long faultTime;
  unsigned long long majorFaultTime;  // part of faultTime
  unsigned long long timedFaults;
  unsigned long long timedMajorFaults;  // part of timedFaults
  struct FaultParts parts;              // parts of faultTime, where switches of threads are seen
  unsigned long long reclaimTime;       // part of faultTime, running and waits included
  unsigned long long compactionTime;    // the same
  unsigned long long discardedPages;    // freed by madvise and brk
  unsigned long long unmappedPages;     // freed otherwise
  unsigned long long teardownTime;
  unsigned long long reclaimedPages;    // of any process or file, by this process for the kernel
  unsigned long long largeZeroingTime;  // part of parts.onProcessor: of faults that got a large page
};
enum { kTotals = sizeof(struct ProcessTotals) / sizeof(unsigned long long) };

// How long the faults took that one processor has served to their end. Bucket i has those of more than 2^(6 + i) ns, up
// to 2^(7 + i); the first also has all shorter ones, the last all longer ones.
enum { kDurationBuckets = 28, kShortestDuration = 7 };
struct DurationCounts {
  unsigned long long faults[kDurationBuckets];
  unsigned long long time;
  unsigned long long unused[3];  // no two processors write to the same line of a cache
};

struct ProcessRecord {
  struct ThreadRecord thread;
  struct ProcessTotals totals;
  unsigned long long startTime;  // since boot, suspend included
  unsigned long long commitPages;
  long long filePages;  // these four are per-CPU sums that may lag, even below zero
  long long anonPages;
  long long shmemPages;
  long long swapPages;
  unsigned int parent;
  unsigned int threads;
  unsigned int leaving;  // the process has ended, and another report follows when its memory is given back
  unsigned int mappings;
  char name[16];
};

// The bits of gfp_t in the running kernel, whether the kernel clears all allocated memory (init_on_alloc), and whether
// a second program counts the events that the first could not see. Set before loading.
struct GfpFlags {
  unsigned int zero;
  unsigned int movable;
  unsigned int noMemalloc;
  unsigned int highMemory;
  unsigned int high;
  unsigned int directReclaim;
  unsigned int initOnAlloc;
  unsigned int countsTwice;
};

// Numbers of the system calls that give memory back, or rights to it.
struct MemoryCalls {
  unsigned int munmap;
  unsigned int mremap;
  unsigned int brk;
  unsigned int madvise;
  unsigned int mprotect;
  unsigned int mmap;  // mmap2 in programs of 32 bits
};

// Set before loading.
struct SweepSettings {
  struct GfpFlags gfp;
  struct MemoryCalls calls;
  struct MemoryCalls calls32;       // of programs of 32 bits
  unsigned int ownMemory;           // bit of a page's flags: anonymous or shared memory
  unsigned int countsFreed;         // a program counts the pages that are freed
  unsigned int awaitsTeardown;      // a program runs when a process has given back its memory
  unsigned int faultsBeginAtEntry;  // time all faults from handle_mm_fault: there are no page fault tracepoints
  unsigned int splitsFaults;        // sched_switch and sched_wakeup run programs
  unsigned int tellsState;          // sched_switch passes the state of the thread that leaves the processor
};

// Sums over processes that ended while the ring was full: one slot per parent; the first slot is for all processes
// that found no slot. The sums only grow.
struct EndedSum {
  unsigned int parent;  // 0: the slot is free, or the first
  unsigned int lastPid;
  unsigned long long lastEnd;  // end of lastPid, since boot
  unsigned long long count;
  unsigned long long minorFaults;
  unsigned long long majorFaults;
  struct ProcessTotals totals;
};
enum { kEndedSums = 64 };  // a power of two

// Memory that the programs share with the sampler.
struct Shared {
  unsigned long long lostExits;  // ended processes whose counts could not be kept
  unsigned int attention;        // number of the current period of attention; 0: the numbers are not on show
  unsigned int timed;            // the end of at least one fault was seen
  unsigned int switched;         // at least one switch of threads was seen
  unsigned int tornDown;         // memory was seen to be given back
  struct EndedSum ended[kEndedSums];
};
