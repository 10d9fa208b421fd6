// The program image of a thread. For BPF C; include it after libbpf's headers.
#pragma once

#include "platform/sampling/linux/bpf/kernel/kernel_types.h"
#include "platform/sampling/records/program_image.h"

// Also 0 if the kernel keeps the value elsewhere: then it is equal for all images.
static inline __u32 dumpableOf(const struct mm_struct* mm) {
  const __u32 kDumpable = 3;  // MMF_DUMPABLE_MASK
  const struct mm_struct___since618* const now = (const void*)mm;
  const struct mm_struct___before618* const before = (const void*)now;
  if (!now) return 0;
  if (bpf_core_field_exists(now->flags.__mm_flags)) return now->flags.__mm_flags[0] & kDumpable;
  if (bpf_core_field_exists(before->flags)) return before->flags & kDumpable;
  return 0;
}

// real_cred: without the credentials that a thread takes for a moment inside the kernel.
static inline int isImage(const struct task_struct* task, const volatile struct ProgramImage* image) {
  const struct cred* const rights = task->real_cred;
  const struct task_struct* const leader = task->group_leader;
  const struct mm_struct* const mm = task->mm;
  return (__u32)task->tgid == image->process && task->self_exec_id == image->execution &&
         leader->start_boottime == image->startTime && rights->uid.val == image->users[0] &&
         rights->euid.val == image->users[1] && rights->suid.val == image->users[2] &&
         rights->fsuid.val == image->users[3] && (!mm || dumpableOf(mm) == image->dumpable);
}
