// Each way by which memory leaves a process, with a known size: the pages are counted, and the time is told or the way
// is named in the quality of the time.
#include <fcntl.h>
#include <linux/falloc.h>
#include <linux/userfaultfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/generators/catch_generators.hpp>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "tests/support/bpf_machine.h"
#include "tests/support/mapped_pages.h"
#include "tests/support/plain.h"
#include "tests/support/workload.h"

using namespace faultline;
using namespace faultline::test;

namespace {

constexpr std::size_t kGivenPages = 20'000;
constexpr std::size_t kGivenBytes = kGivenPages * kPage;
constexpr std::size_t kOff = kGivenPages / 200;         // new pages wait in batches of the processor
constexpr std::size_t kOffByOthers = kGivenPages / 50;  // with pages that others have left in them

FAULTLINE_PLAIN void writeEach(char* memory) {
  for (std::size_t at = 0; at < kGivenBytes; at += kPage) static_cast<volatile char*>(memory)[at] = 1;
}

// Memory that has been written to, in small pages, and the file that it belongs to.
struct Given {
  char* memory = nullptr;
  int file = -1;
};

Given privateMemory() {
  Given given{.memory = mapPages(kGivenBytes)};
  madvise(given.memory, kGivenBytes, MADV_NOHUGEPAGE);
  writeEach(given.memory);
  return given;
}

Given heap() {
  Given given{.memory = static_cast<char*>(sbrk(kGivenBytes))};
  writeEach(given.memory);
  return given;
}

Given memoryFile() {
  Given given{.file = memfd_create("given", MFD_CLOEXEC)};
  if (ftruncate(given.file, kGivenBytes) != 0) _exit(1);
  given.memory = static_cast<char*>(mmap(nullptr, kGivenBytes, PROT_READ | PROT_WRITE, MAP_SHARED, given.file, 0));
  writeEach(given.memory);
  return given;
}

// No longer mapped: its pages are in the file alone.
Given unmappedFile() {
  Given given = memoryFile();
  munmap(given.memory, kGivenBytes);
  return given;
}

struct Way {
  const char* name;
  Given (*take)();
  void (*giveBack)(const Given&);
  const char* named;  // in the quality, where the time is not seen
};

constexpr std::array kWays{
    Way{"munmap", privateMemory, [](const Given& it) { munmap(it.memory, kGivenBytes); }, ""},
    Way{"MADV_DONTNEED", privateMemory, [](const Given& it) { madvise(it.memory, kGivenBytes, MADV_DONTNEED); },
        "MADV_DONTNEED in one mapping"},
    Way{"mmap over memory", privateMemory,
        [](const Given& it) {
          static_cast<void>(mmap(it.memory, kGivenBytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0));
        },
        ""},
    Way{"brk", heap, [](const Given&) { sbrk(-static_cast<std::intptr_t>(kGivenBytes)); }, ""},
    Way{"mremap that shrinks", privateMemory,
        [](const Given& it) { static_cast<void>(mremap(it.memory, kGivenBytes, kPage, 0)); }, ""},
    Way{"mremap over memory", privateMemory,
        [](const Given& it) {
          char* const other = mapPages(kGivenBytes);
          static_cast<void>(mremap(other, kGivenBytes, kGivenBytes, MREMAP_MAYMOVE | MREMAP_FIXED, it.memory));
        },
        ""},
    Way{"close", unmappedFile, [](const Given& it) { close(it.file); }, "memory files"},
    Way{"ftruncate", memoryFile, [](const Given& it) { static_cast<void>(!ftruncate(it.file, 0)); }, "memory files"},
    Way{"a punched hole", memoryFile,
        [](const Given& it) {
          fallocate(it.file, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, static_cast<off_t>(kGivenBytes));
        },
        "memory files"},
    Way{"MADV_REMOVE", memoryFile, [](const Given& it) { madvise(it.memory, kGivenBytes, MADV_REMOVE); },
        "memory files"},
};

std::uint64_t nowInNs() {
  return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

std::uint64_t* sharedNumber() {
  return reinterpret_cast<std::uint64_t*>(mapPages(kPage, MAP_SHARED));
}

// Registers memory whose missing pages are copied in by `copy`; false if that is refused.
bool copyIn(const Given& given) {
  static const std::array<char, kPage> kSource{1};
  const int file = static_cast<int>(syscall(SYS_userfaultfd, O_CLOEXEC));
  uffdio_api api{.api = UFFD_API, .features = 0, .ioctls = 0};
  uffdio_register range{};
  const auto first = reinterpret_cast<std::uintptr_t>(given.memory);
  range.range = {.start = first, .len = kGivenBytes};
  range.mode = UFFDIO_REGISTER_MODE_MISSING;
  bool works = file >= 0 && ioctl(file, UFFDIO_API, &api) == 0 && ioctl(file, UFFDIO_REGISTER, &range) == 0;
  for (std::size_t at = 0; works && at < kGivenBytes; at += kPage) {
    uffdio_copy page{};
    page.dst = first + at;
    page.src = reinterpret_cast<std::uintptr_t>(kSource.data());
    page.len = kPage;
    works = ioctl(file, UFFDIO_COPY, &page) == 0;
  }
  close(file);
  return works;
}

}  // namespace

// Alone, as pages that other programs have left are counted, too.
TEST_CASE("Each way to give memory back is counted, and its time is told or the way is named", "[slow][alone]") {
  BpfMachine machine(false);
  machine.require(ProcessMetric::FreedBytes);
  machine.require(ProcessMetric::TeardownTime);
  auto* const took = sharedNumber();
  const Quality quality = machine.sampler->hello().quality(ProcessMetric::TeardownTime);
  CAPTURE(quality.how);
  for (const Way& way : kWays) {
    CAPTURE(way.name);
    const Workload child([&](int round) {
      if (round == 0) prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
      const Given given = way.take();
      const std::uint64_t begin = nowInNs();
      way.giveBack(given);
      *took = nowInNs() - begin;
    });
    double share = 0;
    for (int round = 0; round < 3; ++round) {
      const ProcessValues before = machine.values(child.pid());
      child.next();
      const ProcessValues after = machine.values(child.pid());
      const std::uint64_t freed = growth(before, after, ProcessMetric::FreedBytes) / kPage;
      CHECK(freed + kOff >= kGivenPages);
      CHECK(freed <= kGivenPages + kOffByOthers);
      share = std::max(
          share, static_cast<double>(growth(before, after, ProcessMetric::TeardownTime)) / static_cast<double>(*took));
    }
    INFO("share of the call's time: " << share);
    const bool isNamed = *way.named != '\0' && quality.how.find(way.named) != std::string::npos;
    CHECK((isNamed || share > 0.5));
  }
}

TEST_CASE("Threads that exit without memory give nothing back") {
  if (kSanitizer) SKIP("The threads of a sanitizer have memory of their own, and give it back");
  BpfMachine machine(false);
  machine.require(ProcessMetric::FreedBytes);
  machine.require(ProcessMetric::TeardownTime);
  const Workload child([](int round) {
    for (int i = 0; i < (round == 0 ? 1 : 8000); ++i) std::thread([] {}).join();
  });
  const ProcessValues before = machine.values(child.pid());
  child.next();
  const ProcessValues after = machine.values(child.pid());
  CHECK(growth(before, after, ProcessMetric::TeardownTime) < 500'000);
}

TEST_CASE("Copies by userfaultfd are zeroed pages only where the quality says so") {
  BpfMachine machine(false);
  machine.require(ProcessMetric::ZeroedBytes);
  auto* const works = sharedNumber();
  const bool shared = GENERATE(false, true);
  CAPTURE(shared);
  const Workload child([&](int round) {
    Given given{.memory = mapPages(kGivenBytes, shared ? MAP_SHARED : MAP_PRIVATE)};
    if (round == 1) *works = copyIn(given);
  });
  const ProcessValues before = machine.values(child.pid());
  child.next();
  const ProcessValues after = machine.values(child.pid());
  if (*works == 0) SKIP("there is no userfaultfd");
  const std::uint64_t zeroed = growth(before, after, ProcessMetric::ZeroedBytes) / kPage;
  const std::string how = machine.sampler->hello().quality(ProcessMetric::ZeroedBytes).how;
  CAPTURE(how, zeroed);
  const bool cleared = how.find("init_on_alloc is on") != std::string::npos;
  if (cleared || shared)
    CHECK((zeroed + kOff < kGivenPages || cleared || how.find("userfaultfd") != std::string::npos));
  else CHECK(zeroed < kGivenPages / 20);
}
