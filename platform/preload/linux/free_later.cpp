// libfaultline-free-later.so, which `faultline-cli try` adds to a program by LD_PRELOAD: blocks of 256 KiB or more are
// freed by a thread of its own, so that the program's threads do not wait while the kernel takes pages away. At most
// 256 MiB wait to be freed; above that, and in forked children, blocks are freed at once. The thread ends when nothing
// was freed for a second, so that a program whose own threads have ended can end. Needs the C library alone.
#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <ctime>

namespace {

constexpr std::size_t kBig = std::size_t{256} << 10U;
constexpr std::size_t kMostBytes = std::size_t{256} << 20U;
constexpr std::size_t kMostBlocks = 1024;

using Free = void (*)(void*);
using SizeOf = std::size_t (*)(void*);

struct Waiting {
  pthread_mutex_t mutex;
  pthread_cond_t more;
  void* blocks[kMostBlocks];
  std::size_t first;
  std::size_t count;
  std::size_t bytes;
  bool threadRuns;
};

Waiting waiting{.mutex = PTHREAD_MUTEX_INITIALIZER,
                .more = PTHREAD_COND_INITIALIZER,
                .blocks = {},
                .first = 0,
                .count = 0,
                .bytes = 0,
                .threadRuns = false};
bool atOnce = false;  // a forked child has no thread, and its mutex may be locked for ever

// Of the malloc that the program would have used. dlsym() frees nothing if it succeeds.
template <class Function>
Function next(Function& known, const char* name) {
  if (known == nullptr) known = reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
  return known;
}
Free freeNow() {
  static Free known = nullptr;
  return next(known, "free");
}
SizeOf sizeOf() {
  static SizeOf known = nullptr;
  return next(known, "malloc_usable_size");
}

// The oldest block; null after a second without any.
void* takeOldest() {
  timespec until{};
  clock_gettime(CLOCK_REALTIME, &until);
  ++until.tv_sec;
  while (waiting.count == 0)
    if (pthread_cond_timedwait(&waiting.more, &waiting.mutex, &until) == ETIMEDOUT && waiting.count == 0)
      return nullptr;
  void* const block = waiting.blocks[waiting.first];
  waiting.first = (waiting.first + 1) % kMostBlocks;
  --waiting.count;
  return block;
}

void* freeAll(void* /*unused*/) {
  pthread_mutex_lock(&waiting.mutex);
  while (void* const block = takeOldest()) {
    const std::size_t bytes = sizeOf()(block);
    pthread_mutex_unlock(&waiting.mutex);
    freeNow()(block);
    pthread_mutex_lock(&waiting.mutex);
    waiting.bytes -= bytes;
  }
  waiting.threadRuns = false;
  pthread_mutex_unlock(&waiting.mutex);
  return nullptr;
}

// Signals of the program are for its own threads. True if it runs.
bool startThread() {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t thread{};
  const bool started = pthread_create(&thread, nullptr, freeAll, nullptr) == 0;
  if (started) pthread_detach(thread);
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

bool keepForLater(void* block, std::size_t bytes) {
  pthread_mutex_lock(&waiting.mutex);
  const bool room = waiting.count < kMostBlocks && waiting.bytes + bytes <= kMostBytes;
  const bool start = room && !waiting.threadRuns;
  if (room) {
    waiting.blocks[(waiting.first + waiting.count++) % kMostBlocks] = block;
    waiting.bytes += bytes;
    waiting.threadRuns = true;
    pthread_cond_signal(&waiting.more);
  }
  pthread_mutex_unlock(&waiting.mutex);
  if (start && !startThread()) freeAll(nullptr);  // which ends after a second
  return room;
}

}  // namespace

extern "C" {

__attribute__((constructor)) void faultlinePrepareFree() {
  pthread_atfork(nullptr, nullptr, [] { atOnce = true; });
}

__attribute__((visibility("default"))) void free(void* block) noexcept {
  if (block == nullptr) return;
  const int kept = errno;  // free() keeps it
  const std::size_t bytes = atOnce || sizeOf() == nullptr ? 0 : sizeOf()(block);
  if (bytes < kBig || !keepForLater(block, bytes)) freeNow()(block);
  errno = kept;
}

}  // extern "C"
