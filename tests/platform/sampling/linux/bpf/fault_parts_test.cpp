// The parts of fault time by BPF against workloads with known parts: only work, a processor
// shared with others, and pages that another thread provides late.
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <unistd.h>

#include <ctime>
#include <filesystem>
#include <fstream>

#include "tests/support/bpf_machine.h"
#include "tests/support/huge_pages.h"
#include "tests/support/late_memory.h"
#include "tests/support/mapped_pages.h"
#include "tests/support/memory_limit.h"
#include "tests/support/scratch_folder.h"
#include "tests/support/workload.h"

using namespace faultline;
using namespace faultline::test;

namespace {

using namespace std::chrono_literals;

void touch(std::size_t bytes, int advice) {
  char* const memory = mapPages(bytes);
  madvise(memory, bytes, advice);
  for (std::size_t at = 0; at < bytes; at += kPage) static_cast<volatile char*>(memory)[at] = 1;
  munmap(memory, bytes);
}

void stayOn(int processor) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(processor, &set);
  sched_setaffinity(0, sizeof set, &set);
}

std::uint64_t ownCpuNs() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<std::uint64_t>(time.tv_sec) * 1'000'000'000 + static_cast<std::uint64_t>(time.tv_nsec);
}

struct Parts {
  double whole = 0;
  double onProcessor = 0;
  double waiting = 0;
  double blocked = 0;
  double onDisk = 0;
  double inReclaim = 0;
  double inCompaction = 0;
};

Parts grown(const ProcessValues& before, const ProcessValues& after) {
  const auto of = [&](ProcessMetric metric) { return static_cast<double>(growth(before, after, metric)); };
  const Parts parts{.whole = of(ProcessMetric::FaultTime),
                    .onProcessor = of(ProcessMetric::FaultTimeOnProcessor),
                    .waiting = of(ProcessMetric::FaultTimeWaiting),
                    .blocked = of(ProcessMetric::FaultTimeBlocked),
                    .onDisk = of(ProcessMetric::FaultTimeOnDisk),
                    .inReclaim = of(ProcessMetric::FaultTimeInReclaim),
                    .inCompaction = of(ProcessMetric::FaultTimeInCompaction)};
  WARN("of " << parts.whole / 1e6 << " ms in faults " << parts.onProcessor / 1e6 << " ms on a processor, "
             << parts.waiting / 1e6 << " ms waiting for one, " << parts.blocked / 1e6 << " ms blocked, "
             << parts.onDisk / 1e6 << " by the disk; " << parts.inReclaim / 1e6 << " in reclaim");
  const double sum = parts.onProcessor + parts.waiting + parts.blocked;
  CHECK(sum >= 0.98 * parts.whole);
  CHECK(sum <= 1.02 * parts.whole);
  CHECK(parts.onDisk <= parts.blocked);
  CHECK(parts.inReclaim + parts.inCompaction <= parts.whole);
  return parts;
}

// The counts that one round of `child` adds.
Parts partsOf(BpfMachine& machine, const Workload& child) {
  const ProcessValues before = machine.values(child.pid());
  child.next();
  return grown(before, machine.values(child.pid()));
}

// Busy loops, `count` processes on one processor.
class BusyLoops {
 public:
  BusyLoops(int count, int processor) {
    for (int i = 0; i < count; ++i) {
      m_pids.push_back(fork());
      if (m_pids.back() != 0) continue;
      stayOn(processor);
      for (;;) asm volatile("");
    }
  }
  ~BusyLoops() {
    for (const pid_t pid : m_pids) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
  }
  BusyLoops(const BusyLoops&) = delete;
  BusyLoops& operator=(const BusyLoops&) = delete;

 private:
  std::vector<pid_t> m_pids;
};

bool canBeLate() {
  return LateMemory(1).works();
}

// A file of `bytes` that is on disk, and not in memory.
void writeCold(const std::filesystem::path& path, std::size_t bytes) {
  const std::string piece(std::size_t{1} << 20U, 'x');
  std::ofstream out(path);
  for (std::size_t written = 0; written < bytes; written += piece.size()) out << piece;
  out.close();
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  fsync(file);
  posix_fadvise(file, 0, 0, POSIX_FADV_DONTNEED);
  close(file);
}

// Reads the file page by page, without reading ahead.
void readMapped(const std::filesystem::path& path, std::size_t bytes) {
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  char* const memory = static_cast<char*>(mmap(nullptr, bytes, PROT_READ, MAP_PRIVATE, file, 0));
  madvise(memory, bytes, MADV_RANDOM);
  for (std::size_t at = 0; at < bytes; at += kPage) (void)static_cast<volatile char*>(memory)[at];
  munmap(memory, bytes);
  close(file);
}

// A new file in a new folder; both are removed.
class ScratchFile {
 public:
  ~ScratchFile() { std::filesystem::remove_all(m_folder); }
  ScratchFile() = default;
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;
  [[nodiscard]] std::filesystem::path path() const { return m_folder / "file"; }

 private:
  std::filesystem::path m_folder = makeScratchFolder();
};

constexpr std::size_t kLatePages = 8;
constexpr Nanoseconds kDelay = 40ms;

}  // namespace

// A thread of the class FIFO is preferred to all others.
TEST_CASE("The time of faults that only work is time on a processor") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTimeWaiting);
  const sched_param first{.sched_priority = 1};
  bool preferred = true;
  Workload child([&](int round) {
    if (round == 0) sched_setscheduler(0, SCHED_FIFO, &first);
    touch(round == 0 ? kPage : std::size_t{64} << 20U, MADV_NOHUGEPAGE);
  });
  preferred = sched_getscheduler(child.pid()) == SCHED_FIFO;
  if (!preferred) SKIP("the child cannot have the class FIFO");
  const Parts parts = partsOf(machine, child);
  CHECK(parts.onProcessor > 0.9 * parts.whole);
  CHECK(parts.blocked < 0.05 * parts.whole);
}

TEST_CASE("Beside busy loops on its processor a process waits for that processor inside its faults") {
  const HugePagesTurn turn;
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTimeWaiting);
  auto* const cpu = reinterpret_cast<volatile std::uint64_t*>(mapPages(kPage, MAP_SHARED));
  Workload child([&](int round) {
    stayOn(0);
    const std::uint64_t before = ownCpuNs();
    touch(round == 0 ? kHuge : 64 * kHuge, MADV_HUGEPAGE);
    *cpu = ownCpuNs() - before;
  });
  const BusyLoops others(2, 0);
  const Parts parts = partsOf(machine, child);
  const auto ran = static_cast<double>(*cpu);
  if (parts.whole < 0.5 * ran) SKIP("there are no huge pages, in whose faults a thread can be preempted");
  CHECK(parts.waiting > parts.onProcessor);
  CHECK(parts.blocked < 0.2 * parts.whole);
  CHECK(parts.onProcessor < 1.2 * ran);
}

TEST_CASE("A fault whose page another thread provides late is blocked until then") {
  if (!canBeLate()) SKIP("there is no userfaultfd");
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTimeWaiting);
  Workload child([](int round) {
    if (round > 0) LateMemory(kLatePages).touchAll(kDelay);
  });
  const Parts parts = partsOf(machine, child);
  const auto truth = static_cast<double>((kLatePages * kDelay).count());
  // On a busy machine the thread may lose its processor on the way to sleep, which is waiting for a processor.
  CHECK(parts.blocked + parts.waiting >= 0.98 * truth);
  CHECK(parts.blocked >= 0.5 * truth);
  CHECK(parts.blocked > 10 * parts.onProcessor);
  CHECK(parts.onDisk < 0.02 * truth);
  CHECK(parts.inReclaim + parts.inCompaction < 0.02 * truth);
}

TEST_CASE("A fault that reads a file waits for the disk") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTimeOnDisk);
  const ScratchFile file;
  constexpr std::size_t kBytes = std::size_t{4} << 20U;
  Workload child([&](int round) {
    if (round == 0) writeCold(file.path(), kBytes);
    else readMapped(file.path(), kBytes);
  });
  const ProcessValues before = machine.values(child.pid());
  child.next();
  const ProcessValues after = machine.values(child.pid());
  if (growth(before, after, ProcessMetric::MajorFaults) < kBytes / kPage / 2) SKIP("the file's pages stay in memory");
  const Parts parts = grown(before, after);
  CHECK(parts.onDisk > 0.9 * parts.blocked);
  CHECK(parts.onDisk > 0.1 * parts.whole);
}

TEST_CASE("A process at its limit of memory reclaims inside its faults") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTimeInReclaim);
  constexpr std::size_t kBytes = std::size_t{64} << 20U;
  const MemoryLimit limit(kBytes / 2);
  if (!limit.works()) SKIP("this user cannot limit the memory of a group of processes");
  const ScratchFile file;
  Workload child([&](int round) {
    if (round > 0) return readMapped(file.path(), kBytes);
    limit.join(getpid());
    writeCold(file.path(), kBytes);
  });
  const Parts parts = partsOf(machine, child);
  CHECK(parts.inReclaim > 0);
}

TEST_CASE("An ended process has the parts of fault time; no process has them while no user is looking") {
  if (!canBeLate()) SKIP("there is no userfaultfd");
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTimeWaiting);
  machine.sweep();
  const pid_t child = fork();
  if (child == 0) {
    LateMemory(2).touchAll(kDelay);
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  machine.sweep();
  const ProcessSample* const ended = machine.findExited(child);
  REQUIRE(ended != nullptr);
  CHECK(ended->values.get(ProcessMetric::FaultTimeBlocked).value_or(0) >= static_cast<std::uint64_t>(kDelay.count()));
  machine.sampler->attend(false);
  CHECK_FALSE(machine.values(getpid()).has(ProcessMetric::FaultTimeBlocked));
}
