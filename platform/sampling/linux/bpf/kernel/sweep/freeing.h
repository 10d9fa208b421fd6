// The part of programs.bpf.c that counts the memory that processes give back, and times that.
#pragma once

static const volatile struct MemoryCalls* callsOf(const struct Call* call) {
  return call->is32 ? &settings.calls32 : &settings.calls;
}

// A thread that exits is spared the look at its system call, which takes a fifth of this program's time.
static int isDiscarding(struct task_struct* task) {
  if (task->flags & PF_EXITING) return 0;
  const struct Call call = callOf(task);
  return discards(&call, callsOf(&call));
}

// mm_page_free(page, order), once for each page or folio. Pages that reclaim and compaction free are of any process.
SEC("tp_btf/mm_page_free")
int countFreed(__u64* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct task_struct* const leader = task->group_leader;
  if ((task->flags & (PF_KTHREAD | PF_MEMALLOC)) || !isOwnMemory(context, settings.ownMemory)) return 0;
  struct Account* const account = accountOf(leader);
  if (!account) return 0;
  const __u64 pages = 1ULL << (__u32)context[1];
  add(isDiscarding(task) ? &account->totals.discardedPages : &account->totals.unmappedPages, pages);
  return 0;
}

// mm_vmscan_direct_reclaim_end(pages), mm_vmscan_memcg_reclaim_end(pages)
static int addReclaimed(__u64 pages) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct Account* const account = task->flags & PF_KTHREAD ? 0 : accountOf(task->group_leader);
  if (account) add(&account->totals.reclaimedPages, pages);
  return 0;
}

SEC("tp_btf/mm_vmscan_direct_reclaim_end")
int countReclaimed(__u64* context) {
  return addReclaimed(context[0]);
}

SEC("tp_btf/mm_vmscan_memcg_reclaim_end")
int countReclaimedInGroup(__u64* context) {
  return addReclaimed(context[0]);
}

// Time

static __u64 freedPages(const struct Account* account) {
  return account->totals.discardedPages + account->totals.unmappedPages;
}

// `call`: null if the task ends, or begins another program.
static int beginTeardown(struct task_struct* task, struct task_struct* leader, const struct Call* call) {
  struct Account* const own = accountOf(task);
  if (!own) return 0;
  own->freedBefore = 0;
  if (call && settings.countsFreed && mayTakeNothing(call, callsOf(call))) {
    const struct Account* const account = task == leader ? own : accountOf(leader);
    if (account) own->freedBefore = 1 + freedPages(account);
  }
  own->teardownBegan = bpf_ktime_get_ns();
  return 0;
}

static int endTeardown(struct task_struct* task, struct task_struct* leader) {
  struct Account* const own = bpf_task_storage_get(&accounts, task, 0, 0);
  if (!own || own->teardownBegan == 0) return 0;
  const __u64 took = bpf_ktime_get_ns() - own->teardownBegan;
  own->teardownBegan = 0;
  if (!shared.tornDown) shared.tornDown = 1;
  struct Account* const account = task == leader ? own : accountOf(leader);
  if (account && own->freedBefore != 1 + freedPages(account)) add(&account->totals.teardownTime, took);
  return 0;
}

// The kernel takes pages away between these functions; or only rights to them, in mprotect.
static int enterTeardown(void) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct task_struct* const leader = task->group_leader;
  if (task->flags & PF_KTHREAD) return 0;
  const struct Call call = callOf(task);
  return call.number == callsOf(&call)->mprotect ? 0 : beginTeardown(task, leader, &call);
}

SEC("fentry/tlb_gather_mmu")
int enterPartTeardown(void* context) {
  return enterTeardown();
}

SEC("fentry/tlb_gather_mmu_fullmm")
int enterWholeTeardown(void* context) {
  return enterTeardown();
}

SEC("fexit/tlb_finish_mmu")
int leaveTeardown(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  return endTeardown(task, task->group_leader);
}

// Where no program can be attached to functions: the calls that take memory away while they hold the lock of all
// mappings, and the end of all mappings in exec and exit, which takes that lock first.
SEC("tp_btf/mmap_lock_start_locking")
int waitForMappings(__u64* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct task_struct* const leader = task->group_leader;
  const struct mm_struct* const mm = (void*)context[0];
  if (task->flags & PF_KTHREAD) return 0;
  if (mm->mm_users.counter == 0) {
    const struct Account* const own = bpf_task_storage_get(&accounts, task, 0, 0);
    return own && own->teardownBegan != 0 ? 0 : beginTeardown(task, leader, 0);
  }
  const struct Call call = callOf(task);
  return takesAway(&call, callsOf(&call), mm) ? beginTeardown(task, leader, &call) : 0;
}

SEC("tp_btf/mmap_lock_released")
int leaveMappings(__u64* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  const struct mm_struct* const mm = (void*)context[0];
  return mm->mm_users.counter == 0 ? 0 : endTeardown(task, task->group_leader);
}

// exit_mmap(mm), when all mappings are gone. Since Linux 6.16, and on no older kernel, that is after
// sched_process_exit.
SEC("tp_btf/exit_mmap")
int leaveMemory(void* context) {
  struct task_struct* const task = bpf_get_current_task_btf();
  struct task_struct* const leader = task->group_leader;
  const struct signal_struct* const signal = task->signal;
  endTeardown(task, leader);
  reportRest(leader, signal);
  return 0;
}
