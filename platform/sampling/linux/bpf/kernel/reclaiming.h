// The programs that time how a thread makes memory free inside a fault, for the sweep and the watch. Needs
// effortsNow(): null outside of a fault that is timed.
#pragma once

SEC("tp_btf/mm_vmscan_direct_reclaim_begin")
int beginReclaim(void* context) {
  struct Efforts* const efforts = effortsNow();
  if (efforts) beginEffort(&efforts->reclaim);
  return 0;
}

SEC("tp_btf/mm_vmscan_direct_reclaim_end")
int endReclaim(void* context) {
  struct Efforts* const efforts = effortsNow();
  if (efforts) endEffort(&efforts->reclaim);
  return 0;
}

// The limit of a group of processes (memory.max).
SEC("tp_btf/mm_vmscan_memcg_reclaim_begin")
int beginGroupReclaim(void* context) {
  struct Efforts* const efforts = effortsNow();
  if (efforts) beginEffort(&efforts->reclaim);
  return 0;
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_end")
int endGroupReclaim(void* context) {
  struct Efforts* const efforts = effortsNow();
  if (efforts) endEffort(&efforts->reclaim);
  return 0;
}

SEC("tp_btf/mm_compaction_begin")
int beginCompaction(void* context) {
  struct Efforts* const efforts = effortsNow();
  if (efforts) beginEffort(&efforts->compaction);
  return 0;
}

SEC("tp_btf/mm_compaction_end")
int endCompaction(void* context) {
  struct Efforts* const efforts = effortsNow();
  if (efforts) endEffort(&efforts->compaction);
  return 0;
}
