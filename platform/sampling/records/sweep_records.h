// What the BPF programs hand over, in C and C++ alike: a sweep is a ThreadRecord for every thread, of which the first
// thread's is the head of a ProcessRecord. Pids are the initial namespace's; times are ns, sizes pages.
#pragma once

struct ThreadRecord {
  unsigned int tid;
  unsigned int pid;
  unsigned long long minorFaults;
  unsigned long long majorFaults;
  unsigned long long deadMinorFaults;  // of the process's threads that were gone when this one was visited
  unsigned long long deadMajorFaults;
};

// What the programs count for a process themselves.
struct ProcessTotals {
  unsigned long long zeroedPages;
  unsigned long long zeroedLargePages;  // of those
  unsigned long long faultTime;
  unsigned long long majorFaultTime;  // of that
  unsigned long long timedFaults;
  unsigned long long timedMajorFaults;  // of those
};

struct ProcessRecord {
  struct ThreadRecord thread;
  struct ProcessTotals totals;
  unsigned long long startTime;  // since boot, suspend included
  unsigned long long commitPages;
  long long filePages;  // these four may lag behind, even below zero
  long long anonPages;
  long long shmemPages;
  long long swapPages;
  unsigned int parent;
  unsigned int threads;
  char name[16];
};

// Which bits of gfp_t mean what in the running kernel, and whether it clears all that it hands out; told before
// loading.
struct GfpFlags {
  unsigned int zero;
  unsigned int movable;
  unsigned int noMemalloc;
  unsigned int highMemory;
  unsigned int high;
  unsigned int directReclaim;
  unsigned int initOnAlloc;
};

// Told before loading.
struct SweepSettings {
  struct GfpFlags gfp;
  unsigned int faultsBeginAtEntry;  // all of them: the processor's way into a fault has no tracepoints
};

// Processes that ended when the ring had no room, as sums that only grow: of the children of one parent; in the first
// slot, of everybody who found no slot.
struct EndedSum {
  unsigned int parent;  // 0: the slot is free, or the first
  unsigned int lastPid;
  unsigned long long lastEnd;  // when that one ended, since boot
  unsigned long long count;
  unsigned long long minorFaults;
  unsigned long long majorFaults;
  struct ProcessTotals totals;
};
enum { kEndedSums = 64 };  // a power of two

// Memory that the programs share with the sampler.
struct Shared {
  unsigned long long lostExits;  // processes whose counts could not be kept at all
  unsigned int attention;        // which period of attention this is, 0 while nobody looks
  unsigned int timed;            // the end of a fault has been seen
  struct EndedSum ended[kEndedSums];
};
