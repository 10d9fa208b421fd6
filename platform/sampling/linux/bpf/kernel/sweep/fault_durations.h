// Durations of faults by powers of two. Each processor has counts of its own, which need no atomic operation: no
// program that counts there is preempted by another one (perf events exclude it, and the kernel skips a program that it
// has preempted on that processor). A mapped array in place of BPF_MAP_TYPE_PERCPU_ARRAY, which only bpf(2) can read:
// the sampler may not call that.
#pragma once

#include "platform/sampling/linux/bpf/kernel/sweep/duration_bucket.h"
#include "platform/sampling/records/sweep_records.h"

struct {
  __uint(type, BPF_MAP_TYPE_ARRAY);
  __uint(map_flags, BPF_F_MMAPABLE);
  __uint(max_entries, 1);  // the sampler sets the number of processors
  __type(key, __u32);
  __type(value, struct DurationCounts);
} durations SEC(".maps");

static void countDuration(__u64 time) {
  const __u32 processor = bpf_get_smp_processor_id();
  struct DurationCounts* const counts = bpf_map_lookup_elem(&durations, &processor);
  const __u32 bucket = bucketOf(time);
  if (!counts || bucket >= kDurationBuckets) return;
  ++counts->faults[bucket];
  counts->time += time;
}
