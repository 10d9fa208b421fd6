// Runs: when a thread was in faults or gave memory back, lately. For BPF C; include it after libbpf's headers.
#pragma once

#include "platform/sampling/records/watch_records.h"

// Time of a thread in faults and in giving memory back, without waits for a processor, and in these, as runs: spans of
// time with sums.
struct Run {
  __u64 begin, end;
  __u64 faults, teardown, waiting;
  __u32 thread;  // that has most of the faults; 0: the thread itself, which waited for no other
  __u32 unused;
};
enum { kRuns = 64 };
struct Runs {
  struct Run runs[kRuns];  // the last ones, as a ring
  __u32 last;
};
// Of the last 8 ms at least, and of the last quarter of a second.
struct Path {
  struct Runs fine, coarse;
};
static const __u64 kFineRun = 1 << 17;
static const __u64 kCoarseRun = 1 << 22;

// The thread that has more than half of some faults, if there is such. Its time is between that of its faults less that
// of all others, and that of its faults: a majority vote (Boyer and Moore, MJRTY, 1991).
struct Majority {
  __u64 time;
  __u32 thread;
  __u32 unused;
};

static void vote(struct Majority* most, __u32 thread, __u64 time) {
  if (most->thread == thread) {
    most->time += time;
  } else if (most->time >= time) {
    most->time -= time;
  } else {
    most->time = time - most->time;
    most->thread = thread;
  }
}

// Adds to the last run, or begins another if that one began `length` before.
static void addRun(struct Runs* runs, __u64 length, const struct Run* more) {
  struct Run* run = &runs->runs[runs->last & (kRuns - 1)];
  if (more->begin - run->begin >= length) {
    run = &runs->runs[++runs->last & (kRuns - 1)];
    run->begin = more->begin;
    run->faults = run->teardown = run->waiting = 0;
  }
  if (more->faults > run->faults) run->thread = more->thread;
  run->end = more->end;
  run->faults += more->faults;
  run->teardown += more->teardown;
  run->waiting += more->waiting;
}

static void addToPath(struct Path* path, const struct Run* more) {
  const struct Run* const run = &path->fine.runs[path->fine.last & (kRuns - 1)];
  if (more->begin - run->begin >= kFineRun && run->end != 0) addRun(&path->coarse, kCoarseRun, run);
  addRun(&path->fine, kFineRun, more);
}

struct AwaitedSums {
  struct PathSums path;
  struct Majority most;
};

static void addFaults(struct AwaitedSums* sums, __u32 thread, __u64 time) {
  sums->path.faults += time;
  vote(&sums->most, thread, time);
}

// Of a run that began before `since`, a share counts.
static void addSince(struct AwaitedSums* sums, const struct Run* run, __u64 since) {
  __u64 faults = run->faults, teardown = run->teardown, waiting = run->waiting;
  if (run->begin < since) {
    const __u64 share = ((run->end - since) << 10) / (run->end - run->begin);
    faults = faults * share >> 10;
    teardown = teardown * share >> 10;
    waiting = waiting * share >> 10;
  }
  addFaults(sums, run->thread, faults);
  sums->path.teardown += teardown;
  sums->path.waiting += waiting;
}

static void addRunsSince(struct AwaitedSums* sums, const struct Runs* runs, __u64 since) {
#pragma clang loop unroll(disable)
  for (__u32 age = 0; age < kRuns; ++age) {
    const struct Run* const run = &runs->runs[(runs->last - age) & (kRuns - 1)];
    if (run->end <= since) return;
    addSince(sums, run, since);
  }
}

static void addPathSince(struct AwaitedSums* sums, const struct Path* path, __u64 since) {
  const struct Run* const oldest = &path->fine.runs[(path->fine.last + 1) & (kRuns - 1)];
  if (oldest->begin <= since) {
    addRunsSince(sums, &path->fine, since);
    return;
  }
  const struct Run* const newest = &path->fine.runs[path->fine.last & (kRuns - 1)];
  if (newest->end > since) addSince(sums, newest, since);
  addRunsSince(sums, &path->coarse, since);
}
