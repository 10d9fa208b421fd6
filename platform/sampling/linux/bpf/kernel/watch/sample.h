// The part of watch.bpf.c that samples single faults, at their end.
#pragma once

enum { kFileType = 0170000, kCharacterDevice = 0020000 };

// Follows pointers by BPF_CORE_READ, as the verifier takes long for each that a program loads by itself.
static long readMapping(struct task_struct* task, struct vm_area_struct* area, struct Mapping* mapping) {
  mapping->begin = area->vm_start;
  mapping->end = area->vm_end;
  mapping->flags = area->vm_flags;
  struct file* const file = BPF_CORE_READ(area, vm_file);
  struct mm_struct* const memory = BPF_CORE_READ(task, mm);
  if (file) {
    const struct dentry* const name = BPF_CORE_READ(file, f_path.dentry);
    const unsigned short mode = BPF_CORE_READ(name, d_inode, i_mode);
    mapping->kind = (mode & kFileType) == kCharacterDevice ? kMappingDevice : kMappingFile;
    bpf_probe_read_kernel_str(mapping->fileName, sizeof mapping->fileName, BPF_CORE_READ(name, d_name.name));
  } else if (memory) {
    const unsigned long stack = BPF_CORE_READ(memory, start_stack);
    if (mapping->begin < BPF_CORE_READ(memory, brk) && mapping->end > BPF_CORE_READ(memory, start_brk))
      mapping->kind = kMappingHeap;
    else if (mapping->begin <= stack && mapping->end >= stack) mapping->kind = kMappingStack;
  }
  return 0;
}

// Number of changes of the mappings; 0: not known.
static __u32 changesOf(const struct mm_struct* memory) {
  const struct mm_struct___since613* const now = (const void*)memory;
  const struct mm_struct___since64* const before = (const void*)memory;
  if (!memory) return 0;
  if (bpf_core_field_exists(now->mm_lock_seq.sequence)) return BPF_CORE_READ(now, mm_lock_seq.sequence);
  if (bpf_core_field_exists(before->mm_lock_seq)) return (__u32)BPF_CORE_READ(before, mm_lock_seq);
  return 0;
}

// Finding a mapping costs the processor an interrupt to itself, so the last one is reused until mappings change.
static void findMapping(struct task_struct* task, struct Thread* thread, struct SampleRecord* record) {
  const __u32 changes = changesOf(task->mm);
  const __u64 address = thread->address;
  if (changes == 0 || changes != thread->mappingChanges || address < thread->mapping.begin ||
      address >= thread->mapping.end) {
    struct Mapping found = {};  // on the stack, because a callback can write there
    if (bpf_find_vma(task, address, readMapping, &found, 0) != 0 || found.end == 0) return;
    thread->mapping = found;
    thread->mappingChanges = changes;
  }
  const struct Mapping* const mapping = &thread->mapping;
  record->flags |= kSampleMapped;
  record->mappingBegin = mapping->begin;
  record->mappingEnd = mapping->end;
  record->mappingFlags = mapping->flags;
  record->mappingKind = mapping->kind;
  __builtin_memcpy(record->fileName, mapping->fileName, sizeof record->fileName);
}

// Reads the registers in DWARF's order; returns the stack pointer.
static __u64 readRegisters(struct task_struct* task, struct SampleRecord* record) {
  void* const registers = (void*)bpf_task_pt_regs(task);
  struct pt_regs___x86* const x86 = registers;
  struct pt_regs___arm64* const arm64 = registers;
  __u64* const out = record->registers;
  if (bpf_core_field_exists(x86->di)) {
    out[0] = x86->ax, out[1] = x86->dx, out[2] = x86->cx, out[3] = x86->bx;
    out[4] = x86->si, out[5] = x86->di, out[6] = x86->bp, out[7] = x86->sp;
    out[8] = x86->r8, out[9] = x86->r9, out[10] = x86->r10, out[11] = x86->r11;
    out[12] = x86->r12, out[13] = x86->r13, out[14] = x86->r14, out[15] = x86->r15;
    out[16] = x86->ip;
    record->registerCount = 17;
    return x86->sp;
  }
  if (!bpf_core_field_exists(arm64->pc)) return 0;
#pragma unroll
  for (int i = 0; i < 31; ++i) out[i] = arm64->regs[i];
  out[31] = arm64->sp;
  out[32] = arm64->pc;
  record->registerCount = 33;
  return arm64->sp;
}

// As much as can be read without a fault: the stack may end, or be swapped out, a little further up. To find the calls
// here, by .eh_frame, would take longer: 15 searches in tables of 100 000 rows take 1.4 times as long as this copy.
static void readShallowStack(__u64 pointer, struct SampleRecord* record) {
#pragma unroll
  for (__u32 bytes = kShallowStackBytes; bytes >= 256; bytes /= 2) {
    if (bpf_probe_read_user(record->stack, bytes, (const void*)pointer) == 0) {
      record->stackBytes = bytes;
      return;
    }
  }
}

// Whole pages after the first: only at the end of a page can reading fail.
static void readDeepStack(__u64 pointer, struct SampleRecord* record) {
  const __u32 first = kStackPage - (pointer & (kStackPage - 1));
  if (bpf_probe_read_user(record->stack, first, (const void*)pointer) != 0) return;
  record->stackBytes = first;
#pragma unroll
  for (__u32 more = 0; more < kStackBytes - kStackPage; more += kStackPage) {
    if (bpf_probe_read_user(record->stack + first + more, kStackPage, (const void*)(pointer + first + more)) != 0)
      return;
    record->stackBytes = first + more + kStackPage;
  }
}

// Number of faults that this sample stands for; 0: do not sample this fault.
static __u32 weightOf(void) {
  if (settings.samples == kSampleAll || settings.samples == kSampleBare) return 1;
  if (settings.samples == kSampleSpikes && shared.process.faultTime - shared.timeAtMark < settings.sampleAfter)
    return 0;
  return __sync_fetch_and_add(&shared.eligible, 1) % settings.sampleEvery == 0 ? settings.sampleEvery : 0;
}

// Fills in all but the stack; returns the stack pointer.
static __always_inline __u64 describeFault(struct task_struct* task, struct Thread* thread, __u64 now, int major,
                                           __u32 weight, struct SampleRecord* record) {
  record->time = now;
  record->took = now - thread->faultBegan;
  record->address = thread->address;
  record->errorCode = thread->errorCode;
  record->thread = threadId(task);
  record->flags = (major ? kSampleMajor : 0) | (thread->inKernel ? kSampleInKernel : 0);
  record->weight = weight;
  record->registerCount = 0;
  record->stackBytes = 0;
  findMapping(task, thread, record);
  bpf_core_read(record->threadName, sizeof record->threadName, &task->comm);
  return readRegisters(task, record);
}

static int hasRoomForStack(void) {
  return bpf_ringbuf_query(&samples, BPF_RB_AVAIL_DATA) < kEveryRoom / 2;
}

static void sampleFault(struct task_struct* task, struct Thread* thread, __u64 now, int major, __u32 weight) {
  if (settings.samples == kSampleBare || (settings.samples == kSampleAll && !hasRoomForStack())) {
    struct SampleRecord* const record = bpf_ringbuf_reserve(&samples, sizeof *record - kStackBytes, 0);
    if (!record) return add(&shared.lostSamples, 1);
    describeFault(task, thread, now, major, weight, record);
    bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
    return;
  }
  if (settings.samples == kSampleAll) {
    struct SampleRecord* const record =
        bpf_ringbuf_reserve(&samples, sizeof *record - kStackBytes + kShallowStackBytes, 0);
    if (!record) return add(&shared.lostSamples, 1);
    const __u64 pointer = describeFault(task, thread, now, major, weight, record);
    if (record->registerCount != 0) readShallowStack(pointer, record);
    bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
    return;
  }
  struct SampleRecord* const record = bpf_ringbuf_reserve(&samples, sizeof *record, 0);
  if (!record) return add(&shared.lostSamples, 1);
  const __u64 pointer = describeFault(task, thread, now, major, weight, record);
  if (record->registerCount != 0) readDeepStack(pointer, record);
  bpf_ringbuf_submit(record, BPF_RB_NO_WAKEUP);
}

// Returns the time after it.
static __u64 sampleIfWanted(struct task_struct* task, struct Thread* thread, __u64 now, int major) {
  const __u32 weight = settings.samples != kSampleNone ? weightOf() : 0;
  if (weight == 0) return now;
  sampleFault(task, thread, now, major, weight);
  const __u64 ended = bpf_ktime_get_ns();
  thread->sampling += ended - now;
  return ended;
}
