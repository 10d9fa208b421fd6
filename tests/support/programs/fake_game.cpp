// A game with known faults per frame: two threads share the pages of each frame, and every so often a frame has a
// burst, all of it in Level::load. Each frame ends with a call of fakeGamePresent, and of faultline_frame unless mark
// is empty. A short-lived helper thread may touch further pages in each frame, and `idle` threads end without having
// touched any. A burst may begin with a page that comes some milliseconds late, from a thread that then keeps the game
// from its processor for as long as `spin` says. The first thread touches its pages `deep` bytes further down its
// stack. With `refused`, the last fault of each frame is a SIGSEGV, which the game survives. Usage: fake_game
// [rate=240] [frames=480] [pages=16] [burst=8192] [every=50] [helper=0] [idle=0] [late=0] [spin=0] [deep=0] [after=0]
// [refused=0] [memory=private|shared|memfd|tmpfs|sparse|hugetlb|large|cold] [then=exit|crash|exec|again|fork|linger]
// [mark=render] [also=]. `memory` is that of bursts; `cold` is a file on the disk, of which no page is in memory, and
// is only read. The mark `also` is set twice before the other. `after` pages are touched after the last frame. Built
// without sanitizers, whose memory would be counted.
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <algorithm>
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "resources/faultline_frame.h"
#include "tests/support/late_memory.h"
#include "tests/support/programs/fake_level.h"

// Stands for a library's swap function.
extern "C" __attribute__((noinline, visibility("default"))) void fakeGamePresent(long frame) {
  asm volatile("" : : "r"(frame) : "memory");
}

// Stands for wl_proxy_marshal_flags; its objects have the layout of a Wayland client's.
struct FakeInterface {
  const char* name;
};
struct FakeProxy {
  const FakeInterface* interface;
};
extern "C" __attribute__((noinline, visibility("default"))) void fakeGameRequest(FakeProxy* proxy, std::uint32_t code) {
  asm volatile("" : : "r"(proxy), "r"(code) : "memory");
}

namespace {

constexpr long kPageBytes = 4096;

struct Settings {
  long rate = 240;  // 0: as fast as possible
  long frames = 480;
  long pages = 16;
  long burst = 8192;
  long every = 50;
  long helper = 0;
  long idle = 0;
  long late = 0;
  long spin = 0;
  long deep = 0;
  long after = 0;
  long refused = 0;
  std::string memory = "private";
  std::string then = "exit";
  std::string mark = "render";
  std::string also;
};

Settings parse(int argc, char** argv) {
  Settings settings;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = word.substr(equals + 1);
    if (key == "then") settings.then = value;
    else if (key == "memory") settings.memory = value;
    else if (key == "mark") settings.mark = value;
    else if (key == "also") settings.also = value;
    else if (key == "rate") settings.rate = std::stol(value);
    else if (key == "frames") settings.frames = std::stol(value);
    else if (key == "pages") settings.pages = std::stol(value);
    else if (key == "burst") settings.burst = std::stol(value);
    else if (key == "every") settings.every = std::stol(value);
    else if (key == "helper") settings.helper = std::stol(value);
    else if (key == "idle") settings.idle = std::stol(value);
    else if (key == "late") settings.late = std::stol(value);
    else if (key == "spin") settings.spin = std::stol(value);
    else if (key == "deep") settings.deep = std::stol(value);
    else if (key == "after") settings.after = std::stol(value);
    else if (key == "refused") settings.refused = std::stol(value);
  }
  return settings;
}

void touch(char* memory, long pages) {
  for (long page = 0; page < pages; ++page) *const_cast<volatile char*>(memory + page * kPageBytes) = 1;
}

void look(char* memory, long pages) {
  for (long page = 0; page < pages; ++page) (void)*const_cast<volatile char*>(memory + page * kPageBytes);
}

// Fresh memory of a file whose pages are on the disk, and are read one by one.
char* allocateCold(std::size_t bytes) {
  const int file = open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  const std::string piece(std::size_t{1} << 20U, 'x');
  for (std::size_t at = 0; at < bytes; at += piece.size())
    if (write(file, piece.data(), std::min(piece.size(), bytes - at)) < 0) _exit(8);
  fsync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  void* const memory = mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  if (memory == MAP_FAILED || madvise(memory, bytes, MADV_RANDOM) != 0) _exit(8);
  return static_cast<char*>(memory);
}

// -1: of no file.
int fileFor(const std::string& kind) {
  if (kind == "memfd") return memfd_create("fake_game", MFD_CLOEXEC);
  if (kind == "tmpfs") return open("/dev/shm", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (kind == "sparse") return open("/var/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  return -1;
}

// Aligned for large pages, and asking for them.
char* allocateLarge(std::size_t bytes) {
  constexpr std::size_t kLarge = 2 << 20;
  const auto room = reinterpret_cast<std::uintptr_t>(
      mmap(nullptr, bytes + kLarge, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  munmap(reinterpret_cast<void*>(room), bytes + kLarge);
  void* const memory = mmap(reinterpret_cast<void*>((room + kLarge - 1) / kLarge * kLarge), bytes,
                            PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED || madvise(memory, bytes, MADV_HUGEPAGE) != 0) _exit(8);
  return static_cast<char*>(memory);
}

// Fresh memory of that kind; ends the game with 8 where there is none.
char* allocate(const std::string& kind, std::size_t bytes) {
  if (kind == "large") return allocateLarge(bytes);
  if (kind == "cold") return allocateCold(bytes);
  const int file = fileFor(kind);
  const bool priv = kind == "private" || kind == "hugetlb";
  const int flags =
      (priv ? MAP_PRIVATE : MAP_SHARED) | (file < 0 ? MAP_ANONYMOUS : 0) | (kind == "hugetlb" ? MAP_HUGETLB : 0);
  if (file >= 0 && ftruncate(file, static_cast<off_t>(bytes)) != 0) _exit(8);
  void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0);
  if (file >= 0) close(file);
  if (memory == MAP_FAILED) _exit(8);
  return static_cast<char*>(memory);
}

// A second thread touches half of each frame's pages, while the first thread waits.
class Worker {
 public:
  Worker() {
    pthread_barrier_init(&m_begin, nullptr, 2);
    pthread_barrier_init(&m_end, nullptr, 2);
    pthread_create(&m_thread, nullptr, run, this);
  }
  using Work = void (*)(char* memory, long pages);

  void work(Work work, char* memory, long pages) {
    m_work = work;
    m_memory = memory;
    m_pages = pages;
    pthread_barrier_wait(&m_begin);
    pthread_barrier_wait(&m_end);
  }

 private:
  static void* run(void* self) {
    auto& worker = *static_cast<Worker*>(self);
    for (;;) {
      pthread_barrier_wait(&worker.m_begin);
      worker.m_work(worker.m_memory, worker.m_pages);
      pthread_barrier_wait(&worker.m_end);
    }
  }

  pthread_t m_thread{};
  pthread_barrier_t m_begin{};
  pthread_barrier_t m_end{};
  Work m_work = nullptr;
  char* m_memory = nullptr;
  long m_pages = 0;
};

// A thread that ends right after its work.
void help(long pages) {
  const auto run = [](void* count) -> void* {
    const auto number = reinterpret_cast<long>(count);
    const auto bytes = static_cast<std::size_t>(number * kPageBytes);
    void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    touch(static_cast<char*>(memory), number);
    munmap(memory, bytes);
    return nullptr;
  };
  pthread_t helper{};
  if (pthread_create(&helper, nullptr, run, reinterpret_cast<void*>(pages)) != 0) _exit(9);
  pthread_join(helper, nullptr);
}

void startAndEnd(long threads) {
  for (long i = 0; i < threads; ++i) {
    pthread_t idle{};
    if (pthread_create(&idle, nullptr, [](void*) -> void* { return nullptr; }, nullptr) != 0) _exit(9);
    pthread_join(idle, nullptr);
  }
}

__attribute__((noinline)) void workAtDepth(long bytes, Worker::Work work, char* memory, long pages) {
  auto* const room = static_cast<volatile char*>(__builtin_alloca(static_cast<std::size_t>(bytes) + 1));
  for (long i = 0; i <= bytes; i += 1024) room[i] = 1;  // a page that was never touched cannot be copied
  work(memory, pages);
  room[bytes] = 2;
}

sigjmp_buf back;

void touchForbiddenPage() {
  static char* const page =
      static_cast<char*>(mmap(nullptr, kPageBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  std::signal(SIGSEGV, [](int) { siglongjmp(back, 1); });
  if (sigsetjmp(back, 1) == 0) *const_cast<volatile char*>(page) = 1;
}

// A kernel that takes away the pages of idle code would add faults, and still does where users may not lock memory.
void keepPagesTouchedSoFar() {
  static_cast<void>(mlockall(MCL_CURRENT | MCL_ONFAULT));
}

void stayOnThisProcessor() {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(sched_getcpu(), &set);
  sched_setaffinity(0, sizeof set, &set);
}

class Game {
 public:
  explicit Game(const Settings& settings) : m_settings(settings) { clock_gettime(CLOCK_MONOTONIC, &m_next); }

  void frame(long pages, Worker::Work work = touch, const std::string& kind = "private") {
    const auto bytes = static_cast<std::size_t>(pages * kPageBytes);
    char* const memory = allocate(kind, bytes);
    workAtDepth(m_settings.deep, work, memory, pages / 2);
    m_worker.work(work, memory + pages / 2 * kPageBytes, pages - pages / 2);
    munmap(memory, bytes);
    if (m_settings.helper > 0) help(m_settings.helper);
    startAndEnd(m_settings.idle);
    if (m_settings.refused > 0) touchForbiddenPage();
    if (m_settings.rate > 0) sleepUntilNext();
  }

  // Frame n, counted from 1, is a burst when n is a multiple of `every`. The warm-up faults in all code and data.
  void run() {
    for (int i = 0; i < 3; ++i) frame(m_settings.pages);
    if (m_settings.idle == 0) keepPagesTouchedSoFar();  // the end of a thread advises on no stack that is kept
    for (long n = 1; n <= m_settings.frames; ++n) {
      if (n % m_settings.every == 0) burst();
      else frame(m_settings.pages);
      for (int i = 0; i < 2 && !m_settings.also.empty(); ++i) faultline_frame(m_settings.also.c_str());
      if (!m_settings.mark.empty()) faultline_frame(m_settings.mark.c_str());
      fakeGamePresent(n);
      commitSurface();
    }
  }

 private:
  void burst() {
    if (m_settings.late > 0) {
      stayOnThisProcessor();
      faultline::test::LateMemory(1).touchAll(std::chrono::milliseconds(m_settings.late),
                                              std::chrono::milliseconds(m_settings.spin));
    }
    frame(m_settings.burst, m_settings.memory == "cold" ? look : fake::Level::load, m_settings.memory);
  }
  static void commitSurface() {
    static const FakeInterface surface{"wl_surface"};
    static const FakeInterface seat{"wl_surface_x"};
    static FakeProxy window{&surface};
    static FakeProxy other{&seat};
    constexpr std::uint32_t kAttach = 1;
    constexpr std::uint32_t kCommit = 6;
    void (*volatile const send)(FakeProxy*, std::uint32_t) =
        fakeGameRequest;  // prevents a clone specialized for these arguments
    send(&window, kAttach);
    send(&other, kCommit);
    send(nullptr, kCommit);
    send(&window, kCommit);
  }
  void sleepUntilNext() {
    m_next.tv_nsec += 1'000'000'000 / m_settings.rate;
    if (m_next.tv_nsec >= 1'000'000'000) {
      m_next.tv_nsec -= 1'000'000'000;
      ++m_next.tv_sec;
    }
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &m_next, nullptr);
  }

  const Settings& m_settings;
  Worker m_worker;
  timespec m_next{};
};

// The worker waits until the process ends.
void play(const Settings& settings) {
  auto* const game = new Game(settings);
  game->run();
}

// A child process with its own frames, which are not the parent's.
void forkGame(const Settings& settings) {
  const pid_t child = fork();
  if (child == 0) {
    play(settings);
    _exit(0);
  }
  play(settings);
  waitpid(child, nullptr, 0);
}

}  // namespace

int main(int argc, char** argv) {
  const Settings settings = parse(argc, argv);
  if (settings.memory != "large") prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  play(settings);
  touch(allocate("private", static_cast<std::size_t>(settings.after * kPageBytes + kPageBytes)), settings.after);
  if (settings.then == "crash") std::abort();
  if (settings.then == "again") execl("/proc/self/exe", "fake_game", "rate=240", "frames=480", "mark=", nullptr);
  if (settings.then == "exec") execl("/bin/sleep", "sleep", "2", nullptr);
  if (settings.then == "fork") forkGame(settings);
  if (settings.then == "linger") sleep(60);
  return settings.then == "exit" ? 7 : 0;
}
