// Identifies the program image of a process by its pidfd, because pids are reused.
// clang-format off: libbpf's headers need the kernel's types
#include "platform/sampling/linux/bpf/kernel/kernel_types.h"
#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include "platform/sampling/linux/bpf/kernel/image_of.h"
// clang-format on

char kLicense[] SEC("license") = "GPL";  // required by most helpers

// Written by the collector for the first thread of the process whose pidfd it holds.
struct {
  __uint(type, BPF_MAP_TYPE_TASK_STORAGE);
  __uint(map_flags, BPF_F_NO_PREALLOC);
  __type(key, int);
  __type(value, __u32);
} held SEC(".maps");

SEC("iter/task")
int identify(struct bpf_iter__task* context) {
  struct task_struct* const task = context->task;
  if (!task) return 0;
  const struct mm_struct* const mm = task->mm;
  struct task_struct* const leader = task->group_leader;
  const struct cred* const rights = task->real_cred;
  // Any thread with memory tells the image: the first one may have ended.
  if (!mm || !bpf_task_storage_get(&held, leader, 0, 0)) return 0;
  struct ProgramImage image = {.startTime = leader->start_boottime,
                               .execution = task->self_exec_id,
                               .process = (__u32)task->tgid,
                               .users = {rights->uid.val, rights->euid.val, rights->suid.val, rights->fsuid.val},
                               .dumpable = dumpableOf(mm)};
  bpf_seq_write(context->meta->seq, &image, sizeof image);
  return 0;
}
