/* faultline_frame.h: tells Faultline where a frame ends. Copy this file into your game; it has no dependencies.
 *
 *   #include "faultline_frame.h"
 *   for (;;) { update(); draw(); present(); faultline_frame("render"); }
 *
 * Then: faultline-cli frames -- ./game
 *
 * Call it once per iteration of a loop, always with the same name for the same loop (names are cut to 31 bytes; at most
 * 8 loops). Any thread may call it; it takes no locks. While no watcher runs, a call is a few loads and one addition.
 * While a watcher runs, it reads the exact page-fault counts of process and thread from the kernel and stores them in
 * memory that was prepared at the first call: it never waits, and after a thread's first call it never faults. The
 * first two seconds are always recorded, so that a watcher that starts late sees the beginning of the game.
 *
 * If a watcher is killed, recording stops two seconds later. A child made by fork() is another process with its own
 * records; exec() and exit leave nothing behind.
 *
 * Rust, Go, C# and others call a real function: compile one C file of these two lines, into the program or into a
 * shared library, and call void faultline_frame_call(const char* name), which does the same as faultline_frame():
 *
 *   #define FAULTLINE_FRAME_FUNCTION
 *   #include "faultline_frame.h"
 *
 * A name is known by its address, where it stays as long as the program runs, as a literal of C does. A string that a
 * language converts anew for each call (P/Invoke of C#) does not: let the C file call faultline_frame() with a literal.
 *
 * Requires C99 (with GNU extensions or _GNU_SOURCE) or C++. Linux 4.14 or later. On 64-bit Windows 7 or later it stores
 * the same records in shared memory named Local\faultline-frames-PID (of the first program or DLL of the process that
 * calls it), with the only count that Windows keeps for a process: soft and hard faults together. That part was
 * compiled with mingw-w64 and run under Wine, which counts no faults; never on Windows, nor with Microsoft's compiler.
 * On other systems the call does nothing. Define FAULTLINE_FRAME_DISABLE to remove all calls.
 *
 * Unlike the rest of Faultline, this file is under the MIT No Attribution licence (SPDX-License-Identifier: MIT-0): any
 * game may contain a copy. There is no warranty of any kind.
 */
#ifndef FAULTLINE_FRAME_H
#define FAULTLINE_FRAME_H

#if (defined(__linux__) || defined(_WIN64)) && !defined(FAULTLINE_FRAME_DISABLE)

#if defined(__GNUC__) && !defined(FAULTLINE_FRAME_STRICT)
#pragma GCC system_header /* no warnings about this file */
#endif
#if defined(_WIN64)
#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#ifndef NOMINMAX
#define NOMINMAX
#endif
#include <stdint.h>
#include <string.h>
#include <windows.h>
#else
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <fcntl.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#if !defined(MAP_ANONYMOUS) || !defined(CLOCK_MONOTONIC)
#error "Define _GNU_SOURCE, or include faultline_frame.h before any other header."
#endif
#endif

/* Layout of the shared memory. Numbers are 64 bits wide, in the machine's byte order. Times are in ns of the steady
 * clock: CLOCK_MONOTONIC; on Windows QueryPerformanceCounter, converted to ns. */
#define FAULTLINE_FRAME_FILE "faultline-frames"
#define FAULTLINE_FRAME_MAGIC UINT64_C(0x32656d617266466c) /* "lFframe2" */
#define FAULTLINE_FRAME_MARKS 8
#define FAULTLINE_FRAME_NAME 32
#define FAULTLINE_FRAME_RECORDS 4096 /* a power of two */
#define FAULTLINE_FRAME_HEAD 4096    /* bytes before the first record */
#define FAULTLINE_FRAME_FIRST_NS INT64_C(2000000000)
#define FAULTLINE_FRAME_WORDS (FAULTLINE_FRAME_NAME / 8)
#define FAULTLINE_FRAME_UNKNOWN UINT64_MAX /* a count that the system does not keep */

struct faultline_record {
  uint64_t ticket; /* number of the record, from 1; 0 while it is being written */
  uint64_t number; /* number of the frame of this mark, from 1, watched or not */
  uint64_t time;
  uint64_t who; /* mark << 32 | thread id */
  /* Of the process. On Windows minor_faults is soft and hard faults, modulo 2^32; the other three are unknown. */
  uint64_t minor_faults, major_faults;
  uint64_t thread_minor_faults, thread_major_faults; /* of the calling thread */
};

struct faultline_ring {
  uint64_t magic;
  uint64_t pid; /* in the process's own pid namespace */
  uint64_t born;
  uint64_t watched_until; /* 0: no watcher. A watcher advances it repeatedly */
  uint64_t head;          /* number of records begun */
  uint64_t counts[FAULTLINE_FRAME_MARKS];
  char names[FAULTLINE_FRAME_MARKS][FAULTLINE_FRAME_NAME];
  uint64_t noted; /* address of faultline_frame_noted_2 in the process; 0: unknown */
};

#ifndef FAULTLINE_FRAME_LAYOUT_ONLY
#if defined(_WIN64)

/* Result of K32GetProcessMemoryInfo; declared here so that only kernel32 is needed. */
struct faultline_frame_memory {
  DWORD size;
  DWORD page_faults;
  SIZE_T sizes[8];
};
typedef BOOL(WINAPI* faultline_frame_memory_function)(HANDLE, struct faultline_frame_memory*, DWORD);

/* One per module (program or DLL), even if several of its files include this header. */
struct faultline_frame_globals {
  PVOID volatile ring;
  PVOID volatile names[FAULTLINE_FRAME_MARKS];
  LONG volatile phase; /* 0: not opened; 1: a thread is opening it; 2: opening failed */
  uint64_t ticks_per_second;
  faultline_frame_memory_function memory;
};
#ifdef __cplusplus
extern "C" {
__declspec(selectany) struct faultline_frame_globals faultline_frame_globals_1 = {};
}
#else
__declspec(selectany) struct faultline_frame_globals faultline_frame_globals_1 = {0};
#endif

static inline uint64_t faultline_frame_load(const uint64_t* from) {
  const uint64_t value = *(const volatile uint64_t*)from;
#if defined(_M_ARM64) || defined(__aarch64__)
  MemoryBarrier();
#endif
  return value;
}

static inline void faultline_frame_store(uint64_t* to, uint64_t value) {
  MemoryBarrier();
  *(volatile uint64_t*)to = value;
}

static inline uint64_t faultline_frame_now(void) {
  const uint64_t rate = faultline_frame_globals_1.ticks_per_second;
  LARGE_INTEGER ticks;
  uint64_t count;
  QueryPerformanceCounter(&ticks);
  count = (uint64_t)ticks.QuadPart;
  return count / rate * UINT64_C(1000000000) + count % rate * UINT64_C(1000000000) / rate;
}

/* Soft and hard faults of the process. */
static inline uint64_t faultline_frame_faults(void) {
  struct faultline_frame_memory memory;
  memory.size = (DWORD)sizeof(memory);
  memory.page_faults = 0;
  if (!faultline_frame_globals_1.memory(GetCurrentProcess(), &memory, (DWORD)sizeof(memory)))
    return FAULTLINE_FRAME_UNKNOWN;
  return memory.page_faults;
}

/* "Local\faultline-frames-4711": visible in the same session only; removed with the process. */
static inline HANDLE faultline_frame_create(DWORD bytes) {
  static const WCHAR prefix[] =
      L"Local\\"
      L"faultline-frames-";
  WCHAR name[sizeof(prefix) / sizeof(WCHAR) + 10];
  WCHAR digits[10];
  DWORD pid = GetCurrentProcessId();
  size_t length = sizeof(prefix) / sizeof(WCHAR) - 1, count = 0;
  HANDLE mapping;
  memcpy(name, prefix, sizeof(prefix));
  for (; pid != 0; pid /= 10) digits[count++] = (WCHAR)(L'0' + pid % 10);
  while (count > 0) name[length++] = digits[--count];
  name[length] = 0;
  mapping = CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0, bytes, name);
  if (mapping == NULL || GetLastError() != ERROR_ALREADY_EXISTS) return mapping;
  CloseHandle(mapping); /* created by another module, or by a hostile process */
  return NULL;
}

static inline struct faultline_ring* faultline_frame_map(void) {
  const DWORD bytes = (DWORD)(FAULTLINE_FRAME_HEAD + FAULTLINE_FRAME_RECORDS * sizeof(struct faultline_record));
  const HANDLE mapping = faultline_frame_create(bytes);
  void* memory;
  if (mapping == NULL) return NULL;
  memory = MapViewOfFile(mapping, FILE_MAP_READ | FILE_MAP_WRITE, 0, 0, bytes);
  if (memory == NULL) {
    CloseHandle(mapping);
    return NULL;
  }
  (void)VirtualLock(memory, bytes);      /* keeps it in the working set, if the limit allows */
  memset(memory, 0, bytes);              /* take all its page faults now */
  return (struct faultline_ring*)memory; /* the handle stays open, as it keeps the name */
}

static inline struct faultline_ring* faultline_frame_open(void) {
  struct faultline_frame_globals* const globals = &faultline_frame_globals_1;
  const HMODULE kernel = GetModuleHandleW(L"kernel32.dll");
  struct faultline_ring* ring = NULL;
  LARGE_INTEGER rate;
  if (InterlockedCompareExchange(&globals->phase, 1, 0) != 0) return NULL;
  if (globals->ring != NULL) { /* another thread has opened it */
    InterlockedExchange(&globals->phase, 0);
    return (struct faultline_ring*)globals->ring;
  }
  if (kernel != NULL && QueryPerformanceFrequency(&rate) && rate.QuadPart > 0) {
    const FARPROC found = GetProcAddress(kernel, "K32GetProcessMemoryInfo");
    globals->ticks_per_second = (uint64_t)rate.QuadPart;
    memcpy(&globals->memory, &found, sizeof(found));
    if (found != NULL) ring = faultline_frame_map();
  }
  if (ring == NULL) {
    InterlockedExchange(&globals->phase, 2);
    return NULL;
  }
  (void)faultline_frame_faults(); /* loads whatever it needs */
  ring->pid = GetCurrentProcessId();
  ring->born = faultline_frame_now();
  ring->watched_until = ring->born + (uint64_t)FAULTLINE_FRAME_FIRST_NS;
  faultline_frame_store(&ring->magic, FAULTLINE_FRAME_MAGIC);
  InterlockedExchangePointer(&globals->ring, ring);
  InterlockedExchange(&globals->phase, 0);
  return ring;
}

/* See the function for Linux. */
static inline int faultline_frame_mark(struct faultline_ring* ring, const char* name) {
  struct faultline_frame_globals* const globals = &faultline_frame_globals_1;
  int i;
  for (i = 0; i < FAULTLINE_FRAME_MARKS; ++i) {
    const char* known = (const char*)globals->names[i];
    if (known == name) return i;
    if (known == NULL) {
      known = (const char*)InterlockedCompareExchangePointer(&globals->names[i], (PVOID)name, NULL);
      if (known == NULL) {
        strncpy(ring->names[i], name, FAULTLINE_FRAME_NAME - 1);
        return i;
      }
    }
    if (known == name || strncmp(ring->names[i], name, FAULTLINE_FRAME_NAME - 1) == 0) return i;
  }
  return -1;
}

static inline void faultline_frame_note(struct faultline_ring* ring, int mark, uint64_t number, uint64_t time) {
  const uint64_t ticket = (uint64_t)InterlockedIncrement64((LONG64 volatile*)&ring->head) - 1;
  struct faultline_record* const record =
      (struct faultline_record*)((char*)ring + FAULTLINE_FRAME_HEAD) + (ticket & (FAULTLINE_FRAME_RECORDS - 1));
  const uint64_t faults = faultline_frame_faults();
  faultline_frame_store(&record->ticket, 0);
  faultline_frame_store(&record->number, number);
  faultline_frame_store(&record->time, time);
  faultline_frame_store(&record->who, (uint64_t)mark << 32 | GetCurrentThreadId());
  faultline_frame_store(&record->minor_faults, faults);
  faultline_frame_store(&record->major_faults, FAULTLINE_FRAME_UNKNOWN);
  faultline_frame_store(&record->thread_minor_faults, FAULTLINE_FRAME_UNKNOWN);
  faultline_frame_store(&record->thread_major_faults, FAULTLINE_FRAME_UNKNOWN);
  faultline_frame_store(&record->ticket, ticket + 1);
}

static inline void faultline_frame(const char* name) {
  struct faultline_ring* ring = (struct faultline_ring*)faultline_frame_globals_1.ring;
  uint64_t number, until, now;
  int mark;
  if (ring == NULL) {
    ring = faultline_frame_open();
    if (ring == NULL) return;
  }
  mark = faultline_frame_mark(ring, name);
  if (mark < 0) return;
  number = (uint64_t)InterlockedIncrement64((LONG64 volatile*)&ring->counts[mark]);
  until = faultline_frame_load(&ring->watched_until);
  if (until == 0) return;
  now = faultline_frame_now();
  if (now <= until) faultline_frame_note(ring, mark, number, now);
  else /* the watcher has gone */
    InterlockedCompareExchange64((LONG64 volatile*)&ring->watched_until, 0, (LONG64)until);
}

#else /* Linux */

#define FAULTLINE_FRAME_THREAD 1 /* RUSAGE_THREAD, which needs _GNU_SOURCE */

/* The process's own data about its ring, on a page that the kernel clears in a child made by fork(). */
struct faultline_frame_own {
  struct faultline_ring* ring;
  const char* names[FAULTLINE_FRAME_MARKS];
};

/* One per process, even if several files include this header. */
struct faultline_frame_globals {
  struct faultline_frame_own* own;
  uint64_t file_number; /* inode of the shared memory */
  int file;
  int phase; /* 0: not opened; 1: a thread is opening it; 2: opening failed */
};
#ifdef __cplusplus
extern "C" {
#endif
__attribute__((weak, visibility("default"))) struct faultline_frame_globals faultline_frame_globals_1;
#ifdef __cplusplus
}
#endif

static inline uint64_t faultline_frame_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * UINT64_C(1000000000) + (uint64_t)time.tv_nsec;
}

/* Closes the parent's file in a child: it holds no records of the child. */
static inline void faultline_frame_close_inherited(struct faultline_frame_globals* globals) {
  struct stat status;
  if (globals->file_number != 0 && fstat(globals->file, &status) == 0 &&
      (uint64_t)status.st_ino == globals->file_number)
    close(globals->file);
  globals->file_number = 0;
}

/* The seals guarantee to a watcher that the memory it maps stays valid. */
static inline struct faultline_ring* faultline_frame_map(struct faultline_frame_globals* globals) {
  const size_t bytes = FAULTLINE_FRAME_HEAD + FAULTLINE_FRAME_RECORDS * sizeof(struct faultline_record);
  const unsigned cloexec_and_sealing = 3;
  const int add_seals = 1033, shrink_grow_and_seal = 7; /* F_ADD_SEALS and its flags, which need _GNU_SOURCE */
  struct stat status;
  void* memory;
  const int file = (int)syscall(SYS_memfd_create, FAULTLINE_FRAME_FILE, cloexec_and_sealing);
  if (file < 0) return NULL;
  if (ftruncate(file, (off_t)bytes) != 0 || fcntl(file, add_seals, shrink_grow_and_seal) != 0 ||
      fstat(file, &status) != 0) {
    close(file);
    return NULL;
  }
  memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory == MAP_FAILED) {
    close(file);
    return NULL;
  }
  madvise(memory, bytes, MADV_DONTFORK);
  (void)mlock(memory, bytes); /* prevents swapping, if the limit allows */
  memset(memory, 0, bytes);   /* take all its page faults now */
  globals->file = file;
  globals->file_number = (uint64_t)status.st_ino;
  return (struct faultline_ring*)memory;
}

static inline struct faultline_frame_own* faultline_frame_own_page(void) {
  void* const page =
      mmap(NULL, sizeof(struct faultline_frame_own), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return NULL;
  if (madvise(page, sizeof(struct faultline_frame_own), MADV_WIPEONFORK) == 0) return (struct faultline_frame_own*)page;
  munmap(page, sizeof(struct faultline_frame_own));
  return NULL;
}

/* Called after a frame has been recorded; does nothing. A privileged watcher attaches a uprobe here, to add values that
 * only the kernel knows. A uprobe on a nop is cheap: the kernel skips the instruction without single-stepping. */
#ifdef __cplusplus
extern "C" {
#endif
#if defined(__CET__)
__attribute__((nocf_check))
#endif
__attribute__((weak, noinline, visibility("default"))) void
faultline_frame_noted_2(uint64_t mark, uint64_t number) {
  __asm__ volatile("nop" : : "r"(mark), "r"(number) : "memory");
}
#ifdef __cplusplus
}
#endif

static inline struct faultline_ring* faultline_frame_open(void) {
  struct faultline_frame_globals* const globals = &faultline_frame_globals_1;
  struct faultline_frame_own* own = __atomic_load_n(&globals->own, __ATOMIC_ACQUIRE);
  struct faultline_ring* ring = NULL;
  struct rusage usage;
  int expected = 0;
  if (!__atomic_compare_exchange_n(&globals->phase, &expected, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return NULL;
  if (own != NULL && __atomic_load_n(&own->ring, __ATOMIC_ACQUIRE) != NULL) { /* another thread has opened it */
    __atomic_store_n(&globals->phase, 0, __ATOMIC_RELEASE);
    return own->ring;
  }
  faultline_frame_close_inherited(globals);
  if (own == NULL) own = faultline_frame_own_page();
  if (own != NULL) ring = faultline_frame_map(globals);
  if (ring == NULL) {
    __atomic_store_n(&globals->phase, 2, __ATOMIC_RELEASE);
    return NULL;
  }
  getrusage(FAULTLINE_FRAME_THREAD, &usage);         /* loads whatever it needs */
  faultline_frame_noted_2(FAULTLINE_FRAME_MARKS, 0); /* likewise; not a mark */
  ring->pid = (uint64_t)getpid();
  ring->born = faultline_frame_now();
  ring->watched_until = ring->born + (uint64_t)FAULTLINE_FRAME_FIRST_NS;
  ring->noted = (uint64_t)(uintptr_t)&faultline_frame_noted_2;
  __atomic_store_n(&ring->magic, FAULTLINE_FRAME_MAGIC, __ATOMIC_RELEASE);
  __atomic_store_n(&own->ring, ring, __ATOMIC_RELEASE);
  __atomic_store_n(&globals->own, own, __ATOMIC_RELEASE);
  __atomic_store_n(&globals->phase, 0, __ATOMIC_RELEASE);
  return ring;
}

/* The name as it is in the ring: cut, and filled with zeros. */
static inline void faultline_frame_pack(const char* name, uint64_t words[FAULTLINE_FRAME_WORDS]) {
  size_t length = 0;
  while (length < FAULTLINE_FRAME_NAME - 1 && name[length] != '\0') ++length;
  memset(words, 0, FAULTLINE_FRAME_NAME);
  memcpy(words, name, length);
}

/* Index of the mark with this name, added if new; -1 if there is no room. If two threads add the same new name at the
 * same time, both may get a mark for it. */
static inline int faultline_frame_mark(struct faultline_frame_own* own, struct faultline_ring* ring, const char* name) {
  uint64_t words[FAULTLINE_FRAME_WORDS];
  int i, word, packed = 0;
  for (i = 0; i < FAULTLINE_FRAME_MARKS; ++i) {
    uint64_t* const slot = (uint64_t*)(void*)ring->names[i];
    const char* known = __atomic_load_n(&own->names[i], __ATOMIC_RELAXED);
    if (known == name) return i;
    if (!packed) faultline_frame_pack(name, words);
    packed = 1;
    if (known == NULL &&
        __atomic_compare_exchange_n(&own->names[i], &known, name, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      for (word = FAULTLINE_FRAME_WORDS; word-- > 0;) __atomic_store_n(&slot[word], words[word], __ATOMIC_RELEASE);
      return i;
    }
    if (known == name) return i;
    for (word = 0; word < FAULTLINE_FRAME_WORDS; ++word)
      if (__atomic_load_n(&slot[word], __ATOMIC_ACQUIRE) != words[word]) break;
    if (word == FAULTLINE_FRAME_WORDS) return i;
  }
  return -1;
}

/* Of the C library, from glibc 2.32 on: not 0 while the process has no second thread. */
#ifdef __cplusplus
extern "C" {
#endif
extern char __libc_single_threaded __attribute__((weak));
#ifdef __cplusplus
}
#endif
#define FAULTLINE_FRAME_CHECK 64 /* records, a power of two */

/* The calling thread's last record. */
struct faultline_frame_seen {
  const struct faultline_ring* ring; /* a child made by fork() has another one, */
  uint64_t born;                     /* or a later one at the same address */
  uint32_t thread;
  uint32_t alone;                /* records since the process was found to have no faults but the thread's; from 1 */
  uint64_t minor, major;         /* faults of the process, */
  uint64_t own_minor, own_major; /* and of the thread */
};

/* A frame takes one system call where that can be exact: a thread has no new fault while its process has none; and the
 * thread's faults, which are cheaper to get, are the process's if there is no other thread and never was one that
 * faulted. The C library does not know threads that others have made: therefore the second is checked now and then. */
static inline void faultline_frame_look(const struct faultline_ring* ring, struct faultline_frame_seen* seen) {
  const uint64_t minor = seen->minor, major = seen->major;
  const int known = seen->ring == ring && seen->born == ring->born;
  const int alone = known && seen->alone != 0 && (seen->alone & (FAULTLINE_FRAME_CHECK - 1)) != 0 &&
                    &__libc_single_threaded != NULL && __libc_single_threaded != 0;
  struct rusage usage;
  getrusage(alone ? FAULTLINE_FRAME_THREAD : RUSAGE_SELF, &usage);
  seen->minor = (uint64_t)usage.ru_minflt;
  seen->major = (uint64_t)usage.ru_majflt;
  if (alone) {
    seen->own_minor = seen->minor;
    seen->own_major = seen->major;
    ++seen->alone;
    return;
  }
  if (!known || seen->minor != minor || seen->major != major) {
    getrusage(FAULTLINE_FRAME_THREAD, &usage);
    seen->own_minor = (uint64_t)usage.ru_minflt;
    seen->own_major = (uint64_t)usage.ru_majflt;
  }
  seen->alone = seen->minor == seen->own_minor && seen->major == seen->own_major;
  if (known) return;
  seen->thread = (uint32_t)syscall(SYS_gettid);
  seen->born = ring->born;
  seen->ring = ring;
}

static inline void faultline_frame_note(struct faultline_ring* ring, int mark, uint64_t number, uint64_t time) {
  static __thread struct faultline_frame_seen seen;
  const uint64_t ticket = __atomic_fetch_add(&ring->head, 1, __ATOMIC_ACQ_REL);
  struct faultline_record* const record =
      (struct faultline_record*)((char*)ring + FAULTLINE_FRAME_HEAD) + (ticket & (FAULTLINE_FRAME_RECORDS - 1));
  faultline_frame_look(ring, &seen);
  __atomic_store_n(&record->ticket, 0, __ATOMIC_RELAXED);
  /* Release: none of these comes before the ticket is 0. */
  __atomic_store_n(&record->number, number, __ATOMIC_RELEASE);
  __atomic_store_n(&record->time, time, __ATOMIC_RELEASE);
  __atomic_store_n(&record->who, (uint64_t)mark << 32 | seen.thread, __ATOMIC_RELEASE);
  __atomic_store_n(&record->minor_faults, seen.minor, __ATOMIC_RELEASE);
  __atomic_store_n(&record->major_faults, seen.major, __ATOMIC_RELEASE);
  __atomic_store_n(&record->thread_minor_faults, seen.own_minor, __ATOMIC_RELEASE);
  __atomic_store_n(&record->thread_major_faults, seen.own_major, __ATOMIC_RELEASE);
  __atomic_store_n(&record->ticket, ticket + 1, __ATOMIC_RELEASE);
  faultline_frame_noted_2((uint64_t)mark, number);
}

static inline void faultline_frame(const char* name) {
  struct faultline_frame_own* own = __atomic_load_n(&faultline_frame_globals_1.own, __ATOMIC_ACQUIRE);
  struct faultline_ring* ring = own != NULL ? __atomic_load_n(&own->ring, __ATOMIC_ACQUIRE) : NULL;
  uint64_t number, until, now;
  int mark;
  if (ring == NULL) {
    ring = faultline_frame_open();
    if (ring == NULL) return;
    own = __atomic_load_n(&faultline_frame_globals_1.own, __ATOMIC_ACQUIRE);
  }
  mark = faultline_frame_mark(own, ring, name);
  if (mark < 0) return;
  number = __atomic_add_fetch(&ring->counts[mark], 1, __ATOMIC_RELAXED);
  until = __atomic_load_n(&ring->watched_until, __ATOMIC_RELAXED);
  if (until == 0) return;
  now = faultline_frame_now();
  if (now <= until) faultline_frame_note(ring, mark, number, now);
  else /* the watcher has gone */
    __atomic_compare_exchange_n(&ring->watched_until, &until, 0, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

#endif /* Linux */
#endif /* FAULTLINE_FRAME_LAYOUT_ONLY */

#else

#ifdef __cplusplus
inline void faultline_frame(const char*) {}
#else
static inline void faultline_frame(const char* name) {
  (void)name;
}
#endif

#endif

#if defined(FAULTLINE_FRAME_FUNCTION) && !defined(FAULTLINE_FRAME_LAYOUT_ONLY)
#if defined(_WIN32)
#define FAULTLINE_FRAME_PUBLIC __declspec(dllexport)
#else
#define FAULTLINE_FRAME_PUBLIC __attribute__((visibility("default")))
#endif
#ifdef __cplusplus
extern "C" {
#endif
FAULTLINE_FRAME_PUBLIC void faultline_frame_call(const char* name);
FAULTLINE_FRAME_PUBLIC void faultline_frame_call(const char* name) {
  faultline_frame(name);
}
#ifdef __cplusplus
}
#endif
#endif

#endif
