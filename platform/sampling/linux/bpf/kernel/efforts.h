// Time that a thread takes to make memory free inside a fault: direct reclaim, or compaction. For BPF C; include it
// after libbpf's headers.
#pragma once

struct Effort {
  __u64 began;  // 0: not now
  __u64 spent;
};

struct Efforts {
  struct Effort reclaim, compaction;
};

static inline void forgetEfforts(struct Efforts* efforts) {
  efforts->reclaim.began = efforts->reclaim.spent = 0;
  efforts->compaction.began = efforts->compaction.spent = 0;
}

static inline void beginEffort(struct Effort* effort) {
  effort->began = bpf_ktime_get_ns();
}

static inline void endEffort(struct Effort* effort) {
  if (effort->began == 0) return;
  effort->spent += bpf_ktime_get_ns() - effort->began;
  effort->began = 0;
}

static inline void addEffort(__u64* sum, const struct Effort* effort) {
  if (effort->spent) __sync_fetch_and_add(sum, effort->spent);
}
