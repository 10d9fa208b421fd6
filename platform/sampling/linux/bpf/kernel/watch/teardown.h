// The part of watch.bpf.c that times how the kernel takes memory away from the game, and counts the pages.
#pragma once

// munmap, madvise, mremap, brk and mprotect take pages away, or rights to them, between these two functions. Waits in
// between are a part of `away`. A fault that does so is a fault. A call that may find nothing, as a thread's exit makes
// one, and has freed no page has no time.
SEC("fentry/tlb_gather_mmu")
int beginTeardown(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!isPlaying(task)) return 0;
  struct Thread* const thread = threadOf(task, 0, 0);
  if (!thread || thread->faultBegan != 0) return 0;
  thread->awayAtTeardown = thread->away.waiting + thread->away.blocked;
  thread->freedBefore = thread->own.freedPages;
  thread->teardownBegan = bpf_ktime_get_ns();
  return 0;
}

static int tookNothing(struct task_struct* task, const struct Thread* thread) {
  if (!settings.countsFreed || thread->own.freedPages != thread->freedBefore) return 0;
  const struct Call call = callOf(task);
  return mayTakeNothing(&call, call.is32 ? &settings.calls32 : &settings.calls);
}

SEC("fexit/tlb_finish_mmu")
int endTeardown(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!shared.teardownSeen) shared.teardownSeen = 1;
  if (!isPlaying(task)) return 0;
  struct Thread* const thread = bpf_task_storage_get(&threads, task, 0, 0);
  if (!thread || thread->teardownBegan == 0) return 0;
  const __u64 away = thread->away.waiting + thread->away.blocked - thread->awayAtTeardown;
  const __u64 now = bpf_ktime_get_ns();
  const __u64 began = thread->teardownBegan, took = now - began;
  thread->teardownBegan = 0;
  if (took <= away || tookNothing(task, thread)) return 0;
  if (settings.followsPath) noteTeardownOnPath(thread, began, now, took - away);
  add(&thread->teardown, took - away);
  add(&shared.teardown, took - away);
  return 0;
}

// mm_page_free(page, order), once for each page or folio. Pages that reclaim and compaction free are of any process.
SEC("tp_btf/mm_page_free")
int countFreed(__u64* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  if (!isPlaying(task) || (task->flags & PF_MEMALLOC) || !isOwnMemory(context, settings.ownMemory)) return 0;
  struct Thread* const thread = threadOf(task, 0, 0);
  if (!thread) return 0;
  const __u64 pages = 1ULL << (__u32)context[1];
  add(&thread->own.freedPages, pages);
  add(&shared.process.freedPages, pages);
  return 0;
}
