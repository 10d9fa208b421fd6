// kernel_facts COLLECTOR [granted] [clears-all] [whole]: measures known workloads and a game of known frames by that
// collector, on this very kernel. Prints a line per metric, its parts separated by tabs: "@@", the metric, a verdict,
// words. The verdicts: exact, estimated: so it is graded, and the known truth lies where the grade has it; missing: not
// measured, and the reason fits this machine, `granted` or not; WRONG: anything else. clears-all: the kernel's
// init_on_alloc is on; whole: all rows. kernel_facts COLLECTOR cost: what timing a fault costs.
#include <sys/mman.h>

#include <array>
#include <functional>

#include "tests/kernels/collector_stream.h"
#include "tests/kernels/frame_facts.h"
#include "tests/kernels/probe_cost.h"
#include "tests/support/workload.h"

namespace faultline::test {
namespace {

constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kPages = 20000;
constexpr std::uint64_t kHuge = 8;
constexpr std::uint64_t kHugePages = 512;  // small ones in a large one
#ifndef MADV_POPULATE_WRITE
constexpr int MADV_POPULATE_WRITE = 23;
#endif

// Memory, all of which is given back.
struct Memory {
  Memory(std::uint64_t pages, int flags, int file = -1)
      : bytes(pages * kPage), start(static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags, file, 0))) {}
  ~Memory() { munmap(start, bytes); }
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  void touch() const {
    for (std::uint64_t at = 0; at < bytes; at += kPage) const_cast<volatile char*>(start)[at] = 1;
  }
  std::uint64_t bytes;
  char* start;
};

constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS;

void touchSmall(std::uint64_t pages) {
  const Memory memory(pages, kPrivate);
  madvise(memory.start, memory.bytes, MADV_NOHUGEPAGE);
  memory.touch();
}

void discard(std::uint64_t pages) {
  const Memory memory(pages, kPrivate);
  madvise(memory.start, memory.bytes, MADV_NOHUGEPAGE);
  memory.touch();
  madvise(memory.start, memory.bytes, MADV_DONTNEED);
}

void populate(std::uint64_t pages) {
  const Memory memory(pages, kPrivate);
  madvise(memory.start, memory.bytes, MADV_NOHUGEPAGE);
  madvise(memory.start, memory.bytes, MADV_POPULATE_WRITE);
}

void touchHuge(std::uint64_t count) {
  const Memory memory((count + 1) * kHugePages, kPrivate);
  const std::uint64_t step = kHugePages * kPage;
  char* const first = memory.start + (step - reinterpret_cast<std::uintptr_t>(memory.start) % step);
  madvise(first, count * step, MADV_HUGEPAGE);
  for (std::uint64_t page = 0; page < count; ++page) const_cast<volatile char*>(first)[page * step] = 1;
}

// Of the pool that the administrator has set aside (hugetlb).
void touchPool(std::uint64_t count) {
  const Memory memory(count * kHugePages, kPrivate | MAP_HUGETLB);
  if (memory.start == MAP_FAILED) return;
  for (std::uint64_t page = 0; page < count; ++page)
    const_cast<volatile char*>(memory.start)[page * kHugePages * kPage] = 1;
}

void touchShared(std::uint64_t pages) {
  const int file = memfd_create("shared", 0);
  if (ftruncate(file, static_cast<off_t>(pages * kPage)) == 0) Memory(pages, MAP_SHARED, file).touch();
  close(file);
}

// Each page is written by this process after another shares it.
void copyOnWrite(std::uint64_t pages) {
  const Memory memory(pages, kPrivate);
  madvise(memory.start, memory.bytes, MADV_NOHUGEPAGE);
  memory.touch();
  const pid_t other = fork();
  if (other == 0) {
    pause();
    _exit(0);
  }
  memory.touch();
  kill(other, SIGKILL);
  waitpid(other, nullptr, 0);
}

MonotonicTime now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return MonotonicTime{} + (std::chrono::seconds(time.tv_sec) + Nanoseconds(time.tv_nsec));
}

class Sweeps {
 public:
  explicit Sweeps(const Setting& setting) : m_stream({setting.collector, "sweep", "--interval", "100ms"}) {
    if (auto hello = m_stream.next<Hello>()) m_hello = std::move(*hello);
  }
  [[nodiscard]] const Hello& hello() const { return m_hello; }
  [[nodiscard]] std::uint64_t skippedRuns() const { return m_skippedRuns; }

  // As of a sweep that begins after this call; others may still wait to be read.
  ProcessValues of(pid_t pid) {
    const MonotonicTime begin = now();
    for (;;) {
      const Snapshot* const snapshot = next();
      if (snapshot == nullptr) return {};
      if (snapshot->time < begin) continue;
      m_skippedRuns = snapshot->system.get(SystemMetric::SkippedRuns).value_or(0);
      return in(snapshot->processes, pid).value_or(ProcessValues());
    }
  }

  // Of a process that has ended; of one that no sweep of the next second reports, nothing.
  ProcessValues endOf(pid_t pid) {
    const MonotonicTime end = now() + std::chrono::seconds(1);
    for (;;) {
      const Snapshot* const snapshot = next();
      if (snapshot == nullptr) return {};
      if (const auto values = in(snapshot->exited, pid)) return *values;
      if (snapshot->time > end) return {};
    }
  }

 private:
  const Snapshot* next() {
    for (;;) {
      auto event = m_stream.nextOf<Hello, const Snapshot*>();
      if (!event) return nullptr;
      if (auto* const hello = std::get_if<Hello>(&*event)) m_hello = std::move(*hello);
      else return std::get<const Snapshot*>(*event);
    }
  }
  static std::optional<ProcessValues> in(const std::vector<ProcessSample>& processes, pid_t pid) {
    for (const ProcessSample& process : processes)
      if (process.key.pid == static_cast<std::uint32_t>(pid)) return process.values;
    return std::nullopt;
  }

  CollectorStream m_stream;
  Hello m_hello;
  std::uint64_t m_skippedRuns = 0;
};

// Touches memory all the time, so that the kernel preempts it inside programs at allocations.
class Writer {
 public:
  Writer() : m_pid(fork()) {
    while (m_pid == 0) touchSmall(256);
  }
  ~Writer() {
    kill(m_pid, SIGKILL);
    waitpid(m_pid, nullptr, 0);
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

 private:
  pid_t m_pid;
};

class Growth {
 public:
  Growth(Sweeps& sweeps, const std::function<void(std::uint64_t)>& work, std::uint64_t much) {
    const Workload child([&](int round) { work(round == 0 ? 1 : much); });
    m_before = sweeps.of(child.pid());
    const MonotonicTime begin = now();
    child.next();
    took = now() - begin;
    m_after = sweeps.of(child.pid());
  }
  [[nodiscard]] std::optional<std::uint64_t> of(ProcessMetric metric) const {
    if (!m_after.has(metric)) return std::nullopt;
    return *m_after.get(metric) - m_before.get(metric).value_or(0);
  }
  Nanoseconds took{0};

 private:
  ProcessValues m_before;
  ProcessValues m_after;
};

Truth about(std::uint64_t pages, std::uint64_t tables) {
  return {pages, pages + tables};
}
Truth bytes(Truth pages) {
  return {pages.least * kPage, pages.most * kPage};
}
// Within 0.5 %: new pages wait in batches of the processor on which they were touched.
Truth freed(std::uint64_t pages, std::uint64_t others = 0) {
  return bytes({pages - pages / 200, pages + pages / 200 + others});
}

// The kernel takes back at the end of the process the memory touched last, with the rest of the program's memory.
void exitFacts(const Setting& setting, Sweeps& sweeps) {
  constexpr std::uint64_t kOthers = 500;
  const MonotonicTime begin = now();
  const pid_t child = fork();
  if (child == 0) {
    const auto* const kept = new Memory(kPages, kPrivate);
    madvise(kept->start, kept->bytes, MADV_NOHUGEPAGE);
    kept->touch();
    _exit(0);
  }
  waitpid(child, nullptr, 0);
  const auto most = static_cast<std::uint64_t>((now() - begin).count());
  const ProcessValues values = sweeps.endOf(child);
  judge(setting, "freed, by exit", sweeps.hello().quality(ProcessMetric::FreedBytes),
        values.get(ProcessMetric::FreedBytes), {.truth = freed(kPages, kOthers)});
  judge(setting, "giving back, exit", sweeps.hello().quality(ProcessMetric::TeardownTime),
        values.get(ProcessMetric::TeardownTime), {.truth = {most / 200, most}});
}

void sweepFacts(const Setting& setting) {
  Sweeps sweeps(setting);
  const auto told = [&](const std::string& name, ProcessMetric metric, const Growth& growth, const Demand& demand) {
    judge(setting, name, sweeps.hello().quality(metric), growth.of(metric), demand);
  };
  const std::uint64_t tables = kPages / kHugePages + 4;
  const Growth small(sweeps, touchSmall, kPages);
  const auto most = static_cast<std::uint64_t>(small.took.count());
  told("faults", ProcessMetric::MinorFaults, small, {.truth = {kPages, kPages}, .needs = 0});
  told("zeroed", ProcessMetric::ZeroedBytes, small, {.truth = bytes(about(kPages, tables))});
  told("timed faults", ProcessMetric::TimedFaults, small, {.truth = about(kPages, 8)});
  told("fault time", ProcessMetric::FaultTime, small, {.truth = {most / 50, most}});
  told("freed, unmapped", ProcessMetric::FreedBytes, small, {.truth = freed(kPages)});
  told("giving back, munmap", ProcessMetric::TeardownTime, small, {.truth = {most / 200, most}});
  const Growth discarded(sweeps, discard, kPages);
  told("freed, discarded", ProcessMetric::DiscardedBytes, discarded, {.truth = freed(kPages)});
  exitFacts(setting, sweeps);
  std::uint64_t parts = 0;
  for (const ProcessMetric part :
       {ProcessMetric::FaultTimeOnProcessor, ProcessMetric::FaultTimeWaiting, ProcessMetric::FaultTimeBlocked})
    parts += small.of(part).value_or(0);
  const std::uint64_t whole = small.of(ProcessMetric::FaultTime).value_or(0);
  judge(setting, "parts of fault time", sweeps.hello().quality(ProcessMetric::FaultTimeWaiting),
        small.of(ProcessMetric::FaultTimeWaiting) ? std::optional(parts) : std::nullopt,
        {.truth = {whole - whole / 50, whole + whole / 50}});
  told("sampled zeroing", ProcessMetric::SampledZeroingTime, small, {.truth = {1, most}, .needs = 0, .byPerf = true});
  const Growth huge(sweeps, touchHuge, kHuge);
  const Truth large{kHuge * kHugePages, kHuge * kHugePages};
  told("zeroed, large", ProcessMetric::ZeroedLargeBytes, huge, {.truth = bytes(large)});
  told("freed, large", ProcessMetric::FreedBytes, huge, {.truth = freed(kHuge * kHugePages)});
  const Growth shared(sweeps, touchShared, kPages);
  told("zeroed, shared memory", ProcessMetric::ZeroedBytes, shared, {.truth = bytes(about(kPages, 4 * tables))});
  told("freed, shared memory", ProcessMetric::FreedBytes, shared, {.truth = freed(kPages)});
  const Growth copied(sweeps, copyOnWrite, kPages);
  const std::uint64_t cleared = (setting.clearsAll ? 2 : 1) * kPages;
  told("zeroed, copy on write", ProcessMetric::ZeroedBytes, copied, {.truth = bytes(about(cleared, 8 * tables))});
  if (setting.whole) {
    const Growth pool(sweeps, touchPool, kHuge);
    told("faults, hugetlb", ProcessMetric::MinorFaults, pool, {.truth = {kHuge, kHuge}, .needs = 0});
    told("timed faults, hugetlb", ProcessMetric::TimedFaults, pool, {.truth = about(kHuge, 4)});
    told("zeroed, hugetlb", ProcessMetric::ZeroedBytes, pool, {.truth = bytes(large)});
  }
  {
    const std::array<Writer, 3> writers;
    const Growth busy(sweeps, touchSmall, kPages);
    const std::string name = "zeroed, busy machine";
    if (const auto least = kPages * kPage; busy.of(ProcessMetric::ZeroedBytes).value_or(least) < least)
      tell(name, "WRONG",
           "fewer bytes than were touched, with up to " + number(sweeps.skippedRuns()) + " skipped runs");
    else told(name, ProcessMetric::ZeroedBytes, busy, {.truth = bytes(about(kPages, tables))});
  }
  if (setting.version < 5014) return;
  const Growth populated(sweeps, populate, kPages);
  told("zeroed, populated", ProcessMetric::ZeroedBytes, populated, {.truth = bytes(about(kPages, tables))});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2) return 2;
  const Setting setting = Setting::read(argc, argv);
  if (argc > 2 && argv[2] == std::string("cost")) {
    probeCost(setting);
    return 0;
  }
  sweepFacts(setting);
  frameFacts(setting);
  return 0;
}

}  // namespace faultline::test

int main(int argc, char** argv) {
  return faultline::test::main(argc, argv);
}
