// The bucket of a fault's duration. For BPF C, after kernel_types.h; the tests compile it for the host.
#pragma once

#include "platform/sampling/records/sweep_records.h"

// By branches: clang 14 has no __builtin_clz for BPF.
static inline __u32 bucketOf(__u64 time) {
  const __u64 units = time == 0 ? 0 : (time - 1) >> kShortestDuration;  // exactly a power of two: the lower bucket
  if (units >> (kDurationBuckets - 2)) return kDurationBuckets - 1;
  __u32 rest = (__u32)units;
  __u32 bits = 0;
  if (rest >> 16) rest >>= 16, bits += 16;
  if (rest >> 8) rest >>= 8, bits += 8;
  if (rest >> 4) rest >>= 4, bits += 4;
  if (rest >> 2) rest >>= 2, bits += 2;
  if (rest >> 1) rest >>= 1, bits += 1;
  return bits + rest;
}
