// The records of the BPF programs that watch a game, in C and C++ alike. Thread ids are those of the collector's pid
// namespace, or of the initial namespace if the game is in another. Times are CLOCK_MONOTONIC in ns. Sums start when
// watching begins, or when a thread is first seen.
#pragma once

#include "platform/sampling/records/program_image.h"
#include "platform/sampling/records/sweep_records.h"

// The program that sees marks: at a uprobe in the function; at hardware breakpoints of the game's threads; or at
// getrusage(), which the game calls at each of its own marks (then the mark and its number are not known). Or at the
// first event after slots of equal length.
enum { kMarkAtProbe, kMarkAtBreakpoint, kMarkAtGetrusage, kMarkAtSlot };
enum { kMostBreakpoints = 4 };

enum { kMostMarks = 64, kFileNameBytes = 64, kMostRegisters = 33 };
// Of a sample's stack: a deep copy ends with the second page above the first, and its first 8 KiB are sent; a shallow
// one needs less room.
enum { kStackPage = 4096, kStackBytes = 3 * kStackPage, kSentStackBytes = 8192, kShallowStackBytes = 2048 };

// Bytes for samples of every fault, while the collector waits for a processor: one half for 6 000 with their stacks,
// the other for 35 000 without.
enum { kEveryRoom = 32 << 20 };

// A flag beside the mark's index in the cookie of its probe: count only calls that commit a Wayland surface.
enum { kSurfaceCommits = 1 << 16 };

struct FaultSums {
  unsigned long long minorFaults;
  unsigned long long majorFaults;
  unsigned long long zeroedPages;
  unsigned long long zeroedLargePages;  // of those, in large pages
  unsigned long long faultTime;
  unsigned long long timedFaults;
  unsigned long long reclaimTime;  // of faultTime
  unsigned long long compactionTime;
  unsigned long long freedPages;
};

// Delay that was added, on request, to the ends of faults. Stretches of kStretchFrames frames come in pairs, numbered
// from 1; in one of each two, in random order, faults are delayed.
enum { kStretchFrames = 16 };
struct DelaySums {
  unsigned long long added;
  unsigned long long ownAdded;
  unsigned long long ownAwaited;  // time of the thread in waits for a futex, outside faults
  unsigned long long stretch;     // twice the number of the pair, plus 1 if delayed; 0: before the first
};

// Time in which a thread slept, outside faults, until another thread of the game woke it; and of that, how long that
// thread, or those for which it waited itself, were in faults or gave memory back, waits for a processor left out; and
// these waits, in faults and outside, without those outside that are shorter than 16 us.
struct PathSums {
  unsigned long long game;
  unsigned long long faults;
  unsigned long long teardown;
  unsigned long long waiting;
};

// A program that ran on the processor for which the thread that ends frames waited, in and outside faults. The name has
// 15 bytes at most, and zeros behind.
struct Neighbour {
  unsigned long long name[2];
  unsigned long long time;
};
enum { kNeighbours = 4 };

// That thread's wait for a processor.
struct Wait {
  unsigned long long since;                  // what has been counted
  unsigned int thread;                       // pid of the thread that ended the last frame; 0: none
  unsigned int processor;                    // 1 + the one for which it waits; 0: it does not wait
  struct Neighbour neighbours[kNeighbours];  // of this frame
};

// A call of one of the functions that may end a frame; or the end of slots, which has the sums of the process alone.
struct MarkRecord {
  unsigned long long time;
  unsigned long long number;  // 1 + earlier calls of this function; the game's number of its own mark; ended slots
  unsigned int mark;          // index of the function
  unsigned int thread;
  struct FaultSums process;
  struct FaultSums own;     // of the thread
  struct FaultParts parts;  // of the process's time inside faults
  struct FaultParts ownParts;
  unsigned long long ownWaiting;   // for a processor, outside faults, while the switches of threads are seen
  unsigned long long ownSleeping;  // the same
  unsigned long long teardown;     // time in which the process's memory was taken away; without waits that are seen
  unsigned long long ownTeardown;
  unsigned long long ownSampling;  // time behind the ends of its faults that their samples took
  struct PathSums ownAwaited;      // parts of ownSleeping
  struct Neighbour behind;         // that ran longest since the last mark; time 0: none
  unsigned long long unseen;       // see WatchShared
  struct DelaySums delay;          // its stretch is that of the frame which ends here
  // That had more than half of the faults for which the thread waited since its last mark that ends frames; 0: none.
  unsigned int awaitedThread;
  unsigned int unused;
};

enum { kSampleMajor = 1, kSampleInKernel = 2, kSampleMapped = 4 };
enum { kMappingFile = 1, kMappingHeap = 2, kMappingStack = 3, kMappingDevice = 4 };

// A single fault with registers and stack. If every fault is a sample, the record ends after kShallowStackBytes, or
// before the stack where there is no room for it.
struct SampleRecord {
  unsigned long long time;
  unsigned long long took;
  unsigned long long address;
  unsigned long long errorCode;  // the processor's
  unsigned int thread;
  unsigned int flags;
  unsigned int weight;
  unsigned int mappingKind;  // this and the next four fields are valid only with kSampleMapped
  unsigned long long mappingBegin;
  unsigned long long mappingEnd;
  unsigned long long mappingFlags;  // the kernel's VM_*
  char fileName[kFileNameBytes];    // last component of the path
  char threadName[16];
  unsigned long long registers[kMostRegisters];
  unsigned int registerCount;
  unsigned int stackBytes;
  unsigned char stack[kStackBytes];
};

enum { kSampleNone, kSampleSpikes, kSampleSome, kSampleAll, kSampleBare };

// Set before loading.
struct WatchSettings {
  unsigned int samples;
  unsigned int sampleEvery;
  unsigned long long sampleAfter;
  unsigned long long pidNamespaceDevice;  // of the collector's /proc/self/ns/pid
  unsigned long long pidNamespaceInode;
  unsigned int ownMarks;            // the game's own marks, which carry their index and number
  unsigned int faultsBeginAtEntry;  // time all faults from handle_mm_fault: there are no page fault tracepoints
  unsigned int splitsFaults;        // sched_switch and sched_wakeup run programs
  unsigned int followsPath;         // sched_waking and the interrupts' beginnings and ends run programs
  unsigned int tellsState;          // sched_switch passes the state of the thread that leaves the processor
  unsigned int markWay;
  unsigned int commits;  // a bit per breakpoint: count only calls that commit a Wayland surface
  unsigned int lookups;  // probes at functions that hand out others by name
  unsigned long long breakpoints[kMostBreakpoints];  // addresses in the game; 0: none
  unsigned long long slot;                           // length of a slot; 0: no slots
  struct GfpFlags gfp;
  struct MemoryCalls calls;
  struct MemoryCalls calls32;  // of programs of 32 bits
  unsigned int countsFreed;    // a program counts the pages that are freed
  unsigned int ownMemory;      // bit of a page's flags: anonymous or shared memory
  unsigned long long delay;    // ns of each fault; 0: none
  struct ProgramImage game;    // records of other programs are not sent
};

// The delays at present.
struct DelayState {
  unsigned long long until;        // set by the collector: no fault is delayed later
  unsigned long long added;        // sum of all threads
  unsigned long long window;       // when the present one began, for the limit
  unsigned long long addedBefore;  // `added` then
  unsigned long long frames;       // that have ended
  unsigned long long stretch;
  unsigned int delaysFirst;  // in the present pair
};

// Memory that the programs share with the collector.
struct WatchShared {
  struct FaultSums process;
  struct FaultParts parts;
  unsigned long long teardown;
  unsigned long long calls[kMostMarks];
  unsigned long long lostMarks;    // the ring was full
  unsigned long long lostSamples;  // the ring was full
  unsigned long long eligible;     // faults that might have become samples
  unsigned long long timeAtMark;   // process.faultTime at the last mark
  unsigned long long unseen;  // of a fault's time, at most: the shortest mean of 8 times between faults; 0: none yet
  unsigned long long began;   // time of the first call, or of the first slot, set by the collector; 0: none yet
  unsigned long long slot;    // slots that had ended at the last event
  struct DelayState delay;
  struct Wait wait;
  unsigned long long lookupName;         // address of the name, in the lookup at present
  unsigned long long handedOut;          // address of the function that presents frames, from the last lookup; 0: none
  unsigned long long minorFaultsAtExec;  // the kernel's, of the whole process; valid if `executed`
  unsigned long long majorFaultsAtExec;
  unsigned int executed;      // the game has executed another program
  unsigned int lookupThread;  // 0: no lookup at present
  unsigned int left;          // the game has executed another program, or its rights have changed
  unsigned int chosen;        // 1 + the mark that ends frames, 0: any; written by the collector
  unsigned int endsSeen;      // handle_mm_fault() has returned in some process
  unsigned int switched;      // at least one switch of threads was seen
  unsigned int teardownSeen;  // tlb_finish_mmu() has returned in some process
};
