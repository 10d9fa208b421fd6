// Time inside faults by BPF against a stopwatch around the same accesses, in the process that makes them.
#include <sys/mman.h>
#include <unistd.h>

#include <csetjmp>
#include <csignal>
#include <ctime>
#include <fstream>

#include "tests/support/bpf_machine.h"
#include "tests/support/huge_pages.h"
#include "tests/support/mapped_pages.h"
#include "tests/support/workload.h"

using namespace faultline;
using namespace faultline::test;

namespace {

std::uint64_t monotonicNs() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(now.tv_nsec);
}

char* aligned(std::size_t bytes) {
  const auto memory = reinterpret_cast<std::uintptr_t>(mapPages(bytes + kHuge));
  return reinterpret_cast<char*>((memory + kHuge - 1) / kHuge * kHuge);
}

// The child's own measurements, in shared memory.
struct Stopwatch {
  std::uint64_t firstTouch = 0;   // ns for all faults
  std::uint64_t secondTouch = 0;  // the same accesses without faults
};

struct Kind {
  std::size_t faults;
  std::size_t step;
  int advice;
  bool writes = true;
};

// One round: touches every page once with a fault and once without; then frees all. The place of
// each access depends on the value read before (0 or 1): else the processor runs ahead into later faults, and
// the stopwatch counts them.
void touchTwice(char* memory, const Kind& kind, volatile Stopwatch* watch) {
  const auto touch = [&] {
    const std::uint64_t begin = monotonicNs();
    std::size_t at = 0;
    for (std::size_t i = 0; i < kind.faults; ++i) {
      auto* const byte = reinterpret_cast<volatile unsigned char*>(memory + at);
      if (kind.writes) *byte = 1;
      at += kind.step + (*byte >> 1U);
    }
    return monotonicNs() - begin;
  };
  watch->firstTouch = touch();
  watch->secondTouch = touch();
  madvise(memory, kind.faults * kind.step, MADV_DONTNEED);
}

struct PerFault {
  double stopwatchOff = 1e18;  // ns, the least of all rounds: without disturbances
  double stopwatchOn = 1e18;
  double measured = 1e18;
};

PerFault measure(BpfMachine& machine, const Kind& kind, int rounds) {
  auto* const watch = reinterpret_cast<volatile Stopwatch*>(mapPages(4096, MAP_SHARED));
  char* const memory = aligned(kind.faults * kind.step);
  madvise(memory, kind.faults * kind.step, kind.advice);
  Workload child([&](int) { touchTwice(memory, kind, watch); });
  const auto faults = static_cast<double>(kind.faults);
  const auto stopwatch = [&] { return static_cast<double>(watch->firstTouch - watch->secondTouch) / faults; };

  PerFault least;
  for (int round = 0; round < rounds; ++round) {
    machine.sampler->attend(false);
    child.next();
    least.stopwatchOff = std::min(least.stopwatchOff, stopwatch());

    machine.sampler->attend(true);
    const ProcessValues before = machine.values(child.pid());
    child.next();
    const ProcessValues after = machine.values(child.pid());
    least.stopwatchOn = std::min(least.stopwatchOn, stopwatch());
    REQUIRE(growth(before, after, ProcessMetric::TimedFaults) >= kind.faults);
    REQUIRE(growth(before, after, ProcessMetric::TimedFaults) <=
            kind.faults + 8);  // faults of the pipe and the stopwatch
    least.measured =
        std::min(least.measured, static_cast<double>(growth(before, after, ProcessMetric::FaultTime)) / faults);
  }
  return least;
}

// Within 10 % of the stopwatch, plus the cost of the probe. A machine that is busy with other programs may need
// several tries; if the stopwatch itself differs between them, there is nothing to compare with.
template <class Measure>
void compare(const char* what, Measure measureOnce) {
  constexpr int kTries = 5;
  double least = 1e18;
  double most = 0;
  for (int attempt = 0; attempt < kTries; ++attempt) {
    const PerFault fault = measureOnce();
    const double probe = std::max(0.0, fault.stopwatchOn - fault.stopwatchOff);
    WARN(what << ": the stopwatch says " << fault.stopwatchOff << " ns without the probe and " << fault.stopwatchOn
              << " ns with it, BPF says " << fault.measured << " ns");
    if (fault.measured <= 1.1 * fault.stopwatchOff + probe && fault.measured >= 0.9 * fault.stopwatchOff - probe)
      return;
    least = std::min(least, fault.stopwatchOff);
    most = std::max(most, fault.stopwatchOff);
  }
  if (most > 1.1 * least) SKIP("the machine is busy: the stopwatch differs by more than 10 % between the tries");
  FAIL(what << ": BPF and the stopwatch differ by more than 10 %");
}

PerFault operator-(const PerFault& a, const PerFault& b) {
  return {.stopwatchOff = a.stopwatchOff - b.stopwatchOff,
          .stopwatchOn = a.stopwatchOn - b.stopwatchOn,
          .measured = a.measured - b.measured};
}

}  // namespace

// No program in the kernel can time the processor's entry to the kernel and return. They take the
// same time for every fault, so differences between faults do not contain them.
TEST_CASE("The extra time of a small zeroing fault by BPF agrees with a stopwatch") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  const Kind kind{.faults = 2048, .step = 4096, .advice = MADV_NOHUGEPAGE};
  Kind readOnly = kind;
  readOnly.writes = false;
  compare("4 KB, written to less only read",
          [&] { return measure(machine, kind, 60) - measure(machine, readOnly, 60); });
}

TEST_CASE("The time of huge faults by BPF agrees with a stopwatch") {
  const HugePagesTurn turn;
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  std::string enabled;
  std::getline(std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled"), enabled);
  if (enabled.find("[never]") != std::string::npos) SKIP("huge pages are switched off");
  compare("2 MB", [&] { return measure(machine, {.faults = 16, .step = kHuge, .advice = MADV_HUGEPAGE}, 20); });
}

TEST_CASE("The zeroing of large pages is nearly all of the time of their faults, and small pages have none of it") {
  const HugePagesTurn turn;
  BpfMachine machine;
  machine.require(ProcessMetric::LargeZeroingTime);
  constexpr std::size_t kLarge = 16;
  char* const memory = aligned(2 * kLarge * kHuge);
  madvise(memory, kLarge * kHuge, MADV_HUGEPAGE);
  madvise(memory + kLarge * kHuge, kLarge * kHuge, MADV_NOHUGEPAGE);
  Workload child([&](int round) {  // round 1 touches large pages, round 2 small ones
    const std::size_t step = round == 1 ? kHuge : 4096;
    for (std::size_t at = 0; round > 0 && at < kLarge * kHuge; at += step)
      *static_cast<volatile char*>(memory + (round == 1 ? 0 : kLarge * kHuge) + at) = 1;
  });
  const ProcessValues before = machine.values(child.pid());
  child.next();
  const ProcessValues large = machine.values(child.pid());
  if (growth(before, large, ProcessMetric::ZeroedLargeBytes) < kLarge * kHuge) SKIP("this machine has no large pages");
  const std::uint64_t zeroing = growth(before, large, ProcessMetric::LargeZeroingTime);
  const std::uint64_t onProcessor = growth(before, large, ProcessMetric::FaultTimeOnProcessor);
  CHECK(zeroing <= onProcessor);
  CHECK(zeroing >= onProcessor / 2);
  CHECK(zeroing >= kLarge * kHuge / 200);  // no memory is written at 200 GB/s
  child.next();
  const ProcessValues small = machine.values(child.pid());
  CHECK(growth(large, small, ProcessMetric::TimedFaults) >= kLarge * kHuge / 4096);
  CHECK(growth(large, small, ProcessMetric::LargeZeroingTime) == 0);
}

TEST_CASE("While no user is looking fault time is absent, and earlier measurements are kept") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  char* const memory = mapPages(1 << 20);
  Workload child([&](int) {
    touchTwice(memory, {.faults = 256, .step = 4096, .advice = 0},
               reinterpret_cast<volatile Stopwatch*>(memory + (1 << 20) - sizeof(Stopwatch)));
  });
  const ProcessValues before = machine.values(child.pid());
  machine.sampler->attend(false);
  CHECK_FALSE(machine.values(child.pid()).has(ProcessMetric::FaultTime));
  child.next();
  machine.sampler->attend(true);
  const ProcessValues after = machine.values(child.pid());
  CHECK(growth(before, after, ProcessMetric::MinorFaults) >= 256);
  CHECK(growth(before, after, ProcessMetric::TimedFaults) <= 4);  // faults of the pipe, while a user was looking
  CHECK(before.get(ProcessMetric::TimedFaults).value_or(0) >= 256);
}

TEST_CASE("A fault that ends in a signal is not the beginning of a later fault") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  char* const memory = mapPages(1 << 20);
  static sigjmp_buf back;
  Workload child([&](int round) {
    if (round == 0) {
      std::signal(SIGSEGV, [](int) { siglongjmp(back, 1); });
      mprotect(memory, 4096, PROT_NONE);
      if (sigsetjmp(back, 1) == 0) *static_cast<volatile char*>(memory) = 1;
    } else {
      static_cast<volatile char*>(memory)[8192] = 1;
    }
  });
  const ProcessValues before = machine.values(child.pid());
  machine.sampler->attend(false);
  usleep(999'999);
  machine.sampler->attend(true);
  child.next();
  const ProcessValues after = machine.values(child.pid());
  CHECK(growth(before, after, ProcessMetric::TimedFaults) >= 1);
  CHECK(growth(before, after, ProcessMetric::FaultTime) < 900'000'000);
}

TEST_CASE(
    "Pages populated in advance are timed if handle_mm_fault reports them, else the quality says that they are not") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  constexpr std::size_t kPages = 1024;
  Workload child([&](int round) {
    char* const memory = mapPages(kPages * 4096);
    madvise(memory, kPages * 4096, MADV_NOHUGEPAGE);
    if (round > 0) madvise(memory, kPages * 4096, MADV_POPULATE_WRITE);
  });
  const ProcessValues before = machine.values(child.pid());
  child.next();
  const ProcessValues after = machine.values(child.pid());
  const std::uint64_t timed = growth(before, after, ProcessMetric::TimedFaults);
  const std::uint64_t faults =
      growth(before, after, ProcessMetric::MinorFaults) + growth(before, after, ProcessMetric::MajorFaults);
  REQUIRE(faults >= kPages);
  CHECK(timed <= faults);
  const std::string how = machine.sampler->hello().quality(ProcessMetric::FaultTime).how;
  INFO(how);
  if (how.find("end of handle_mm_fault") != std::string::npos) {
    CHECK(timed >= kPages);
    CHECK(growth(before, after, ProcessMetric::FaultTime) > 0);
  } else {
    CHECK(how.find("without pages populated in advance") != std::string::npos);
    CHECK(timed < kPages / 2);
  }
}

TEST_CASE("Every fault of a program whose memory is served page by page is timed once") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  constexpr std::size_t kPages = 4096;
  Workload child([&](int) {
    char* const memory = mapPages(kPages * 4096);
    madvise(memory, kPages * 4096, MADV_NOHUGEPAGE);
    for (std::size_t i = 0; i < kPages; ++i) static_cast<volatile char*>(memory)[i * 4096] = 1;
    munmap(memory, kPages * 4096);
  });
  const ProcessValues before = machine.values(child.pid());
  child.next();
  const ProcessValues after = machine.values(child.pid());
  const std::uint64_t faults =
      growth(before, after, ProcessMetric::MinorFaults) + growth(before, after, ProcessMetric::MajorFaults);
  const std::uint64_t timed = growth(before, after, ProcessMetric::TimedFaults);
  CHECK(timed >= kPages);
  CHECK(timed <= faults);
  CHECK(timed + 8 >= faults);
}
