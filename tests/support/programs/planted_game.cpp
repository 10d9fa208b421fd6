// A game whose late frames have one planted cause. Every tenth frame has the cause, the others work for 3 ms of their
// thread's processor time. Usage: planted_game CAUSE [frames=200] [display=60] [pages=16384]
//   display: the frames end on a grid of that rate; 0: they end when their work does
// Causes:
//   none       no frame differs
//   faults     touches `pages` that are new
//   blocks     takes `pages` from malloc, touches them and frees them
//   work       works for 28 ms
//   sleep      sleeps for 28 ms
//   hog        another process takes the processor for 28 ms
//   offpath    another thread touches pages all the time; works for 28 ms
//   workers    waits for a thread that touches `pages` that are new
//   populate   asks for `pages` in advance
//   teardown   gives back eight times `pages`, which the frame before had populated
#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>

#include "resources/faultline_frame.h"

namespace {

constexpr long kPageBytes = 4096;
constexpr long kEvery = 10;
constexpr std::int64_t kMs = 1'000'000;

std::int64_t now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000 * kMs + time.tv_nsec;
}

void work(std::int64_t ns) {
  const std::int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns;
  while (now(CLOCK_THREAD_CPUTIME_ID) < end) {
  }
}

void sleepUntil(std::int64_t time) {
  const timespec then{.tv_sec = time / (1'000 * kMs), .tv_nsec = time % (1'000 * kMs)};
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, nullptr) != 0) {
  }
}

char* newPages(long pages, int more = 0) {
  void* const memory = mmap(nullptr, static_cast<std::size_t>(pages * kPageBytes), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | more, -1, 0);
  if (memory == MAP_FAILED) _exit(3);
  return static_cast<char*>(memory);
}

void touch(char* memory, long pages) {
  for (long page = 0; page < pages; ++page) *const_cast<volatile char*>(memory + page * kPageBytes) = 1;
}

void giveBack(char* memory, long pages) {
  munmap(memory, static_cast<std::size_t>(pages * kPageBytes));
}

// Gives nothing back, as that takes time of its own.
void touchNew(long pages) {
  touch(newPages(pages), pages);
}

void touchBlock(long pages) {
  char* volatile block = static_cast<char*>(std::malloc(static_cast<std::size_t>(pages * kPageBytes)));
  touch(block, pages);
  std::free(block);
}

void* touchAllTheTime(void*) {
  for (;;) {
    char* const memory = newPages(64);
    touch(memory, 64);
    giveBack(memory, 64);
    usleep(2000);
  }
  return nullptr;
}

void* touchOnce(void* pages) {
  touchNew(*static_cast<long*>(pages));
  return nullptr;
}

// A process on the same processor that runs while `asked` is set, before everybody else.
struct Hog {
  explicit Hog(bool wanted) {
    if (!wanted) return;
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    asked = static_cast<std::atomic<int>*>(
        mmap(nullptr, static_cast<std::size_t>(kPageBytes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
    process = fork();
    if (process != 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const sched_param highest{.sched_priority = 1};
    if (sched_setscheduler(0, SCHED_FIFO, &highest) != 0) _exit(4);
    for (;;) {
      if (asked->exchange(0) != 0) work(28 * kMs);
      usleep(500);
    }
  }

  std::atomic<int>* asked = nullptr;
  pid_t process = 0;
};

}  // namespace

int main(int argc, char** argv) {
  const std::string cause = argc > 1 ? argv[1] : "none";
  long frames = 200;
  long display = 60;
  long pages = 16384;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("frames=")) frames = std::stol(word.substr(7));
    if (word.starts_with("display=")) display = std::stol(word.substr(8));
    if (word.starts_with("pages=")) pages = std::stol(word.substr(6));
  }
  prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
  const Hog hog(cause == "hog");
  pthread_t other{};
  if (cause == "offpath") pthread_create(&other, nullptr, touchAllTheTime, nullptr);
  const std::int64_t period = display > 0 ? 1'000 * kMs / display : 0;
  std::int64_t slot = now(CLOCK_MONOTONIC);
  for (long frame = 1; frame <= frames; ++frame) {
    const bool planted = frame % kEvery == 0;
    char* const spare =
        cause == "teardown" && frame % kEvery == kEvery - 1 ? newPages(8 * pages, MAP_POPULATE) : nullptr;
    static char* held = nullptr;
    if (spare != nullptr) held = spare;
    work(3 * kMs);
    if (planted) {
      if (cause == "faults") touchNew(pages);
      else if (cause == "blocks") touchBlock(pages);
      else if (cause == "work" || cause == "offpath") work(28 * kMs);
      else if (cause == "sleep") usleep(28'000);
      else if (cause == "hog") {
        hog.asked->store(1);
        work(3 * kMs);
      } else if (cause == "workers") {
        pthread_create(&other, nullptr, touchOnce, &pages);
        pthread_join(other, nullptr);
      } else if (cause == "populate") newPages(pages, MAP_POPULATE);
      else if (cause == "teardown") giveBack(held, 8 * pages);
    }
    if (period > 0) {
      while (slot <= now(CLOCK_MONOTONIC)) slot += period;
      sleepUntil(slot);
    }
    faultline_frame("render");
  }
  if (hog.process > 0) {
    kill(hog.process, SIGKILL);
    waitpid(hog.process, nullptr, 0);
  }
  return 0;
}
