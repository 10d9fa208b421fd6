// A game whose frames pay for memory in one way, or avoid to. Usage: advised_game KIND [frames=60] [work=3]
// Every third frame does what the kind says; each works for `work` ms, and ends on a grid of 60 per second.
// The causes:
//   no_pool      takes 40 MiB from malloc, touches and frees them
//   own_mapping  the same with a mapping of its own
//   trim         the same in blocks of 64 KiB, whose heap is trimmed
//   arena        the same in a thread that is not the first, and so in another arena
//   first_touch  touches 16 MiB of a block that was taken at the start
//   pieces       touches 16 new mappings of 1 MiB
//   split        gives back 64 pages of each of 32 huge pages, and touches them again
//   copies       writes 16 MiB that a forked child shares
//   file         maps a file of 32 MiB and writes a byte of each page
//   device       maps 16 MiB of a device and touches them
//   teardown     gives back 256 MiB, which a thread of its own had populated
//   background   works for 20 ms more, while another thread touches memory all the time
// The same without their price:
//   pool, kept_blocks, kept_arena, populated, one_piece, whole, spawned, populated_file, kept_device, freed_elsewhere,
//   none
#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <memory>
#include <semaphore>
#include <string>
#include <thread>
#include <vector>

#include "resources/faultline_frame.h"

namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kMiB = std::size_t{1} << 20U;
constexpr std::int64_t kMs = 1'000'000;

std::int64_t now(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return std::int64_t{time.tv_sec} * 1'000 * kMs + time.tv_nsec;
}

void work(std::int64_t ns) {
  for (const std::int64_t end = now(CLOCK_THREAD_CPUTIME_ID) + ns; now(CLOCK_THREAD_CPUTIME_ID) < end;) {
  }
}

void touch(void* begin, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kPage) static_cast<volatile char*>(begin)[at] = 1;
}
void read(const void* begin, std::size_t bytes) {
  for (std::size_t at = 0; at < bytes; at += kPage) static_cast<void>(static_cast<const volatile char*>(begin)[at]);
}

char* mapped(std::size_t bytes, int more = 0, int file = -1, int protection = PROT_READ | PROT_WRITE) {
  void* const start = mmap(nullptr, bytes, protection, MAP_PRIVATE | (file < 0 ? MAP_ANONYMOUS : 0) | more, file, 0);
  if (start == MAP_FAILED) _exit(3);
  return static_cast<char*>(start);
}

// Without huge pages, whose faults would be few.
char* mappedSmall(std::size_t bytes) {
  char* const start = mapped(bytes);
  madvise(start, bytes, MADV_NOHUGEPAGE);
  return start;
}

char* advised(std::size_t bytes) {
  char* const start = mapped(bytes + 2 * kMiB);
  char* const aligned = start + (2 * kMiB - reinterpret_cast<std::uintptr_t>(start) % (2 * kMiB));
  madvise(aligned, bytes, MADV_HUGEPAGE);
  touch(aligned, bytes);
  return aligned;
}

void useAndFree(std::size_t blocks, std::size_t bytes) {
  std::vector<void*> all(blocks);
  for (void*& block : all) touch(block = std::malloc(bytes), bytes);
  for (void* block : all) std::free(block);
}

int fileOf(std::size_t bytes) {
  char name[] = "/tmp/advised_game.XXXXXX";
  const int file = mkstemp(name);
  unlink(name);
  const std::vector<char> zeros(kMiB);
  for (std::size_t at = 0; at < bytes; at += kMiB)
    if (write(file, zeros.data(), kMiB) != static_cast<ssize_t>(kMiB)) _exit(4);
  return file;
}

using Plant = std::function<void()>;

void writeShared(char* memory) {
  const pid_t child = fork();
  if (child == 0)
    for (;;) pause();
  touch(memory, 16 * kMiB);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
}

void spawn() {
  pid_t child = 0;
  std::string name = "true";
  char* words[]{name.data(), nullptr};
  if (posix_spawnp(&child, "true", nullptr, nullptr, words, environ) == 0) waitpid(child, nullptr, 0);
}

// Takes memory in a thread of its own, so that its faults are not the frame's.
class Loader {
 public:
  explicit Loader(bool freesToo) : m_freesToo(freesToo) {
    std::thread([this] { run(); }).detach();
    m_asked.release();
  }
  void giveBack() {
    if (!m_loaded.try_acquire()) return;  // no frame waits for the loader's faults
    if (!m_freesToo) munmap(m_block, kBytes);
    m_asked.release();
  }

 private:
  static constexpr std::size_t kBytes = 256 * kMiB;
  void run() {
    for (;;) {
      m_asked.acquire();
      if (m_freesToo && m_block != nullptr) munmap(m_block, kBytes);
      m_block = mappedSmall(kBytes);
      touch(m_block, kBytes);
      m_loaded.release();
    }
  }
  bool m_freesToo;
  char* m_block = nullptr;
  std::binary_semaphore m_asked{0};
  std::binary_semaphore m_loaded{0};
};

Plant causeOf(const std::string& kind) {
  if (kind == "no_pool") return [] { useAndFree(1, 40 * kMiB); };
  if (kind == "own_mapping")
    return [] {
      char* const memory = mapped(40 * kMiB);
      touch(memory, 40 * kMiB);
      munmap(memory, 40 * kMiB);
    };
  if (kind == "trim" || kind == "arena") return [] { useAndFree(640, kMiB / 16); };
  if (kind == "first_touch")
    return [next = static_cast<char*>(std::malloc(512 * kMiB))]() mutable {
      touch(next, 16 * kMiB);
      next += 16 * kMiB;
    };
  if (kind == "pieces")
    return [next = mapped(768 * kMiB, 0, -1, PROT_NONE)]() mutable {
      for (int i = 0; i < 16; ++i, next += 2 * kMiB) {
        mprotect(next, kMiB, PROT_READ | PROT_WRITE);
        touch(next, kMiB);
      }
    };
  if (kind == "split")
    return [memory = advised(64 * kMiB)] {
      for (std::size_t at = 0; at < 64 * kMiB; at += 2 * kMiB) madvise(memory + at, 64 * kPage, MADV_DONTNEED);
      for (std::size_t at = 0; at < 64 * kMiB; at += 2 * kMiB) touch(memory + at, 64 * kPage);
    };
  if (kind == "copies") {
    char* const memory = mappedSmall(16 * kMiB);
    touch(memory, 16 * kMiB);
    return [memory] { writeShared(memory); };
  }
  if (kind == "file")
    return [file = fileOf(32 * kMiB)] {
      void* const memory = mmap(nullptr, 32 * kMiB, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
      if (memory == MAP_FAILED) _exit(3);
      touch(memory, 32 * kMiB);
      munmap(memory, 32 * kMiB);
    };
  if (kind == "device")
    return [file = open("/dev/zero", O_RDWR)] {
      char* const memory = mapped(16 * kMiB, 0, file);
      touch(memory, 16 * kMiB);
      munmap(memory, 16 * kMiB);
    };
  if (kind == "teardown") return [loader = std::make_shared<Loader>(false)] { loader->giveBack(); };
  if (kind == "background") {
    std::thread([] {
      for (;;) {
        char* const memory = mappedSmall(4 * kMiB);
        touch(memory, 4 * kMiB);
        munmap(memory, 4 * kMiB);
      }
    }).detach();
    return [] { work(20 * kMs); };
  }
  return nullptr;
}

Plant healthyOf(const std::string& kind) {
  if (kind == "pool" || kind == "kept_arena") {
    auto* const block = static_cast<char*>(std::malloc(40 * kMiB));
    touch(block, 40 * kMiB);
    return [block] { touch(block, 40 * kMiB); };
  }
  if (kind == "kept_blocks") {
    static_cast<void>(!std::malloc(kMiB));
    const auto kept = std::make_shared<std::vector<void*>>(640);
    for (void*& block : *kept) touch(block = std::malloc(kMiB / 16), kMiB / 16);
    return [kept] {
      for (void* block : *kept) touch(block, kMiB / 16);
    };
  }
  if (kind == "populated" || kind == "one_piece") {
    char* const memory = kind == "populated" ? mapped(256 * kMiB, MAP_POPULATE) : advised(256 * kMiB);
    return [memory, at = std::size_t{0}]() mutable {
      touch(memory + at, 16 * kMiB);
      at = (at + 16 * kMiB) % (256 * kMiB);
    };
  }
  if (kind == "whole")
    return [memory = advised(64 * kMiB)] {
      madvise(memory, 2 * kMiB, MADV_DONTNEED);
      touch(memory, 2 * kMiB);
    };
  if (kind == "spawned") return spawn;
  if (kind == "populated_file") {
    char* const memory = mapped(64 * kMiB, MAP_POPULATE, fileOf(64 * kMiB), PROT_READ);
    return [memory] { read(memory, 64 * kMiB); };
  }
  if (kind == "kept_device") {
    char* const memory = mapped(16 * kMiB, MAP_POPULATE, open("/dev/zero", O_RDWR));
    return [memory] { touch(memory, 16 * kMiB); };
  }
  if (kind == "freed_elsewhere") return [loader = std::make_shared<Loader>(true)] { loader->giveBack(); };
  return [] {};
}

void run(const std::string& kind, long frames, std::int64_t worked) {
  constexpr std::int64_t kPeriod = 1'000 * kMs / 60;
  const Plant cause = causeOf(kind);
  const Plant plant = cause ? cause : healthyOf(kind);
  std::int64_t slot = now(CLOCK_MONOTONIC);
  for (long number = 1; number <= frames; ++number) {
    work(worked);
    if (number % 3 == 0) plant();
    for (slot += kPeriod; slot <= now(CLOCK_MONOTONIC);) slot += kPeriod;
    const timespec then{.tv_sec = slot / (1'000 * kMs), .tv_nsec = slot % (1'000 * kMs)};
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &then, nullptr) != 0) {
    }
    faultline_frame("render");
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string kind = argc > 1 ? argv[1] : "none";
  long frames = 60;
  std::int64_t worked = 3 * kMs;
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("frames=")) frames = std::stol(word.substr(7));
    if (word.starts_with("work=")) worked = std::stol(word.substr(5)) * kMs;
  }
  const auto play = [&] { run(kind, frames, worked); };
  if (kind == "arena" || kind == "kept_arena") std::thread(play).join();
  else play();
  std::quick_exit(0);  // threads of the game may still run
}
