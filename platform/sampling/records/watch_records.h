// What the BPF programs that watch one game hand over, in C and C++ alike. Thread ids are those of the collector's pid
// namespace, or of the initial one where the game is in another; times are CLOCK_MONOTONIC's, ns; sums are cumulative
// since watching began, or since a thread was first seen after it.
#pragma once

#include "platform/sampling/records/program_image.h"
#include "platform/sampling/records/sweep_records.h"

// Which of the programs tells marks: one at a probe in the function's code; one at hardware breakpoints of the game's
// threads; one where the kernel answers getrusage(), with which the game itself counts at each mark of its own: neither
// the mark nor its number is told then.
enum { kMarkAtProbe, kMarkAtBreakpoint, kMarkAtGetrusage };
enum { kMostBreakpoints = 4 };

enum { kMostMarks = 64, kStackBytes = 2048, kFileNameBytes = 64, kMostRegisters = 33 };

// Beside the number of a mark, in the cookie of its probe: of the function's calls, which send a Wayland client's
// requests, only commits of a surface.
enum { kSurfaceCommits = 1 << 16 };

struct FaultSums {
  unsigned long long minorFaults;
  unsigned long long majorFaults;
  unsigned long long zeroedPages;
  unsigned long long faultTime;
};

// A call of one of the functions that may end a frame.
struct MarkRecord {
  unsigned long long time;
  unsigned long long number;  // 1 + how many calls of this one came before; of the game's own marks, what it says
  unsigned int mark;          // which one
  unsigned int thread;
  struct FaultSums process;
  struct FaultSums own;  // of the thread
};

enum { kSampleMajor = 1, kSampleInKernel = 2, kSampleMapped = 4 };
enum { kMappingFile = 1, kMappingHeap = 2, kMappingStack = 3 };

// One fault, told whole.
struct SampleRecord {
  unsigned long long time;
  unsigned long long took;
  unsigned long long address;
  unsigned long long errorCode;  // the processor's
  unsigned int thread;
  unsigned int flags;
  unsigned int weight;
  unsigned int mappingKind;  // this and the four that follow: only with kSampleMapped
  unsigned long long mappingBegin;
  unsigned long long mappingEnd;
  unsigned long long mappingFlags;  // the kernel's VM_*
  char fileName[kFileNameBytes];    // the last part of its path
  char threadName[16];
  unsigned long long registers[kMostRegisters];
  unsigned int registerCount;
  unsigned int stackBytes;
  unsigned char stack[kStackBytes];
};

enum { kSampleNone, kSampleSpikes, kSampleSome, kSampleAll };

// Told before loading.
struct WatchSettings {
  unsigned int samples;
  unsigned int sampleEvery;
  unsigned long long sampleAfter;
  unsigned long long pidNamespaceDevice;  // of the collector's /proc/self/ns/pid
  unsigned long long pidNamespaceInode;
  unsigned int ownMarks;            // they are the game's own, which say which one they are and their number
  unsigned int faultsBeginAtEntry;  // all of them: the processor's way into a fault has no tracepoints
  unsigned int markWay;
  unsigned int commits;  // a bit for each breakpoint: of the calls there, only commits of a surface
  unsigned long long breakpoints[kMostBreakpoints];  // where they are in the game's memory; 0: there is none
  struct GfpFlags gfp;
  struct ProgramImage game;  // nothing is told of any other
};

// Memory that the programs share with the collector.
struct WatchShared {
  struct FaultSums process;
  unsigned long long calls[kMostMarks];
  unsigned long long lostMarks;    // that found no room in the ring
  unsigned long long lostSamples;  // likewise
  unsigned long long eligible;     // faults that might have become samples
  unsigned long long timeAtMark;   // process.faultTime at the last mark
  unsigned long long began;        // when the first call came; 0: it has not
  unsigned int left;               // the game has become another program, or its rights have changed
  unsigned int chosen;             // 1 + the mark that counts, 0: any; the collector's to write
  unsigned int endsSeen;           // handle_mm_fault() has returned, in whichever process
};
