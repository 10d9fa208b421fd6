// The fields of the kernel's structures that the programs read, in any order: libbpf finds their offsets in the running
// kernel's BTF. For BPF C, in place of <linux/bpf.h>.
#pragma once

typedef unsigned char __u8;
typedef signed short __s16;
typedef unsigned short __u16;
typedef int __s32;
typedef unsigned int __u32;
typedef long long __s64;
typedef unsigned long long __u64;
typedef __u16 __be16;
typedef __u32 __be32;
typedef __u32 __wsum;

// include/uapi/linux/bpf.h
enum bpf_map_type {
  BPF_MAP_TYPE_ARRAY = 2,
  BPF_MAP_TYPE_PERCPU_ARRAY = 6,
  BPF_MAP_TYPE_QUEUE = 22,
  BPF_MAP_TYPE_RINGBUF = 27,
  BPF_MAP_TYPE_TASK_STORAGE = 29
};
enum { BPF_F_NO_PREALLOC = 1, BPF_F_MMAPABLE = 1 << 10 };
enum { BPF_LOCAL_STORAGE_GET_F_CREATE = 1 };
enum { BPF_RB_NO_WAKEUP = 1, BPF_RB_FORCE_WAKEUP = 2 };
enum { BPF_RB_AVAIL_DATA = 0 };
struct bpf_pidns_info {
  __u32 pid;
  __u32 tgid;
};

// include/linux/sched.h
enum { PF_EXITING = 0x00000004, PF_MEMALLOC = 0x00000800, PF_KTHREAD = 0x00200000 };

// include/linux/mm_types_task.h
enum { MM_FILEPAGES, MM_ANONPAGES, MM_SWAPENTS, MM_SHMEMPAGES, NR_MM_COUNTERS };

#define KERNEL __attribute__((preserve_access_index))

typedef struct {
  int counter;
} atomic_t;

struct percpu_counter {
  __s64 count;
} KERNEL;

struct mm_struct {
  atomic_t mm_users;
  int map_count;
  unsigned long start_brk;
  unsigned long brk;
  unsigned long start_stack;
  unsigned long data_vm;
  unsigned long stack_vm;
  struct percpu_counter rss_stat[NR_MM_COUNTERS];
} KERNEL;

// Number of changes of a process's mappings: since Linux 6.4, in this form since 6.13.
struct seqcount {
  unsigned int sequence;
} KERNEL;
typedef struct seqcount seqcount_t;
struct mm_struct___since613 {
  seqcount_t mm_lock_seq;
} KERNEL;
struct mm_struct___since64 {
  int mm_lock_seq;
} KERNEL;

// before Linux 6.2
typedef struct {
  long counter;
} atomic_long_t;
struct mm_rss_stat {
  atomic_long_t count[NR_MM_COUNTERS];
} KERNEL;
struct mm_struct___before62 {
  struct mm_rss_stat rss_stat;
} KERNEL;

// include/linux/mm_types.h; a bitmap since Linux 6.18
struct mm_struct___since618 {
  struct {
    unsigned long __mm_flags[1];
  } flags;
} KERNEL;
struct mm_struct___before618 {
  unsigned long flags;
} KERNEL;

typedef struct {
  unsigned int val;
} kuid_t;
struct cred {
  kuid_t uid;
  kuid_t suid;
  kuid_t euid;
  kuid_t fsuid;
} KERNEL;

struct signal_struct {
  atomic_t live;  // threads that have not begun to exit
  int nr_threads;
  unsigned long min_flt;  // of threads that are gone
  unsigned long maj_flt;
  struct task_struct* group_exec_task;  // since 5.17: waits for all other threads to end, then becomes the first
} KERNEL;

struct sched_entity {
  __u64 exec_start;        // since which time on a processor is not yet counted
  __u64 sum_exec_runtime;  // the two have a clock of their own
} KERNEL;
struct task_struct {
  unsigned int __state;  // since Linux 5.14
  unsigned int flags;
  unsigned int in_iowait : 1;
  int exit_state;
  int pid;
  int tgid;
  unsigned long min_flt;
  unsigned long maj_flt;
  struct sched_entity se;
  __u64 start_time;  // CLOCK_MONOTONIC
  __u64 start_boottime;
  __u64 self_exec_id;
  const struct cred* real_cred;
  struct task_struct* real_parent;
  struct task_struct* group_leader;
  struct signal_struct* signal;
  struct mm_struct* mm;
  char comm[16];
} KERNEL;

// Of x86.
struct thread_info___x86 {
  __u32 status;
} KERNEL;
struct task_struct___x86 {
  struct thread_info___x86 thread_info;
} KERNEL;

struct thread_info___since516 {
  __u32 cpu;
} KERNEL;
struct task_struct___since516 {
  struct thread_info___since516 thread_info;
} KERNEL;
struct task_struct___before516 {
  unsigned int cpu;
} KERNEL;

struct task_struct___before514 {
  long state;
} KERNEL;

struct super_block {
  unsigned long s_magic;
} KERNEL;
struct inode {
  unsigned short i_mode;
  struct super_block* i_sb;
} KERNEL;
struct address_space {
  struct inode* host;
} KERNEL;
struct folio {
  struct address_space* mapping;
} KERNEL;

struct qstr {
  const unsigned char* name;
} KERNEL;
struct dentry {
  struct qstr d_name;
  struct inode* d_inode;
} KERNEL;
struct path {
  struct dentry* dentry;
} KERNEL;
struct file {
  struct path f_path;
} KERNEL;
struct vm_area_struct {
  unsigned long vm_start;
  unsigned long vm_end;
  unsigned long vm_flags;
  struct file* vm_file;
} KERNEL;

struct pt_regs___x86 {
  unsigned long r15, r14, r13, r12, bp, bx, r11, r10, r9, r8, ax, cx, dx, si, di, orig_ax, ip, sp;
} KERNEL;
struct pt_regs___arm64 {
  __u64 regs[31];
  __u64 sp;
  __u64 pc;
  __u64 orig_x0;
  __s32 syscallno;
} KERNEL;

struct seq_file;
struct bpf_iter_meta {
  struct seq_file* seq;
} KERNEL;
struct bpf_iter__task {
  struct bpf_iter_meta* meta;
  struct task_struct* task;
} KERNEL;

// include/linux/bpf.h
struct bpf_map {
  enum bpf_map_type map_type;
  __u32 id;
  char name[16];
} KERNEL;
struct bpf_iter__bpf_map {
  struct bpf_iter_meta* meta;
  struct bpf_map* map;
} KERNEL;
