// The BPF sampler's sweep on the real machine must agree with /proc.
#include "platform/sampling/linux/proc/sampler.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <fstream>
#include <thread>

#include "core/model/unnamed_ended.h"
#include "platform/sampling/linux/proc/page_counts.h"
#include "platform/sampling/system_sampler.h"
#include "tests/support/bpf_machine.h"
#include "tests/support/ends_turn.h"
#include "tests/support/in_child.h"
#include "tests/support/parent.h"
#include "tests/support/toucher.h"
#include "tests/support/workload.h"

using namespace faultline;
using namespace faultline::test;

namespace {

bool startsWith(const std::string& text, const std::string& start) {
  return text.compare(0, start.size(), start) == 0;
}

// Processes that did not change between two readings of /proc, before and after the sweep.
struct Quiet {
  std::unique_ptr<Sampler> sampler;
  Snapshot before;
  Snapshot after;

  const ProcessSample* find(const ProcessKey& key) const {
    const auto same = [&](const ProcessSample& process) { return process.key == key; };
    const auto first = std::ranges::find_if(before.processes, same);
    const auto second = std::ranges::find_if(after.processes, same);
    if (first == before.processes.end() || second == after.processes.end() || *first != *second) return nullptr;
    return &*first;
  }
};

std::string textOf(std::optional<std::uint64_t> value) {
  return value ? std::to_string(*value) : "none";
}

// "name (pid): metric BPF's, /proc's", for each difference.
std::vector<std::string> differences(const Snapshot& byBpf, const Quiet& proc, std::size_t& compared) {
  std::vector<std::string> found;
  for (const ProcessSample& process : byBpf.processes) {
    const ProcessSample* const other = proc.find(process.key);
    if (other == nullptr) continue;
    ++compared;
    const std::string who = process.name + " (" + std::to_string(process.key.pid) + "): ";
    // The name of a kernel worker in /proc contains its present work.
    const bool kernel = other->values.get(ProcessMetric::CommitBytes) == 0U;
    if (!(kernel ? startsWith(other->name, process.name) : other->name == process.name))
      found.push_back(who + "in /proc " + other->name);
    for (const ProcessMetric metric : {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults,
                                       ProcessMetric::CommitBytes, ProcessMetric::Threads, ProcessMetric::ParentPid})
      if (const auto a = process.values.get(metric), b = other->values.get(metric); a != b)
        found.push_back(who + std::string(field(metric).name) + " " + textOf(a) + ", " + textOf(b));
  }
  return found;
}

}  // namespace

TEST_CASE("A sweep by BPF agrees with /proc for sleeping processes") {
  BpfMachine machine;
  Quiet proc;
  proc.sampler = makeProcSampler(systemClock()).value();
  const Workload sleeper([](int) { prctl(PR_SET_NAME, "we b) (x\n"); });
  std::size_t compared = 0;
  std::vector<std::string> differing;
  // A process may start and end a thread, or map and unmap memory, between the two readings of /proc, and be the same
  // then: a difference counts that is there each time.
  for (int turn = 0; turn == 0 || (turn < 5 && !differing.empty()); ++turn) {
    REQUIRE(proc.sampler->sample(proc.before));
    machine.sweep();
    REQUIRE(proc.sampler->sample(proc.after));
    compared = 0;
    differing = differences(machine.snapshot, proc, compared);
  }
  CHECK(differing == std::vector<std::string>{});
  CHECK(compared > 10);
  CHECK(compared > machine.snapshot.processes.size() / 2);
  const ProcessSample* const named = machine.find(sleeper.pid());
  REQUIRE(named != nullptr);
  CHECK(proc.find(named->key) != nullptr);
}

TEST_CASE("A process whose first thread has ended keeps its memory by BPF") {
  BpfMachine machine;
  constexpr std::size_t kBytes = std::size_t{16} << 20U;
  std::array<int, 2> ready{};
  REQUIRE(pipe(ready.data()) == 0);
  const pid_t child = fork();
  if (child == 0) {
    std::thread([&] {
      usleep(100'000);  // until the first thread has ended
      auto* const memory =
          static_cast<char*>(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
      for (std::size_t at = 0; at < kBytes; at += 4096) const_cast<volatile char*>(memory)[at] = 1;
      (void)!write(ready[1], "r", 1);
      pause();
    }).detach();
    syscall(SYS_exit, 0);  // only this thread
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  const ProcessValues values = machine.values(child);
  CHECK(values.get(ProcessMetric::CommitBytes).value_or(0) >= kBytes);
  CHECK(values.get(ProcessMetric::ResidentBytes).value_or(0) >= kBytes / 2);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_CASE("A daemon whose parent ended before any sweep keeps that parent by BPF") {
  BpfMachine machine;
  machine.sweep();
  std::array<int, 2> told{};
  REQUIRE(pipe(told.data()) == 0);
  const pid_t starter = fork();
  if (starter == 0) {
    const pid_t daemon = fork();
    if (daemon == 0) {
      pause();
      _exit(0);
    }
    (void)!write(told[1], &daemon, sizeof daemon);
    _exit(0);
  }
  pid_t daemon = 0;
  REQUIRE(read(told[0], &daemon, sizeof daemon) == sizeof daemon);
  waitpid(starter, nullptr, 0);
  const ProcessValues values = machine.values(daemon);
  CHECK(values.get(ProcessMetric::ParentPid) == static_cast<std::uint64_t>(starter));
  const ProcessSample* const ended = machine.findExited(starter);
  REQUIRE(ended != nullptr);
  CHECK(ended->values.get(ProcessMetric::ParentPid) == static_cast<std::uint64_t>(getpid()));
  kill(daemon, SIGKILL);
  close(told[0]);
  close(told[1]);
}

TEST_CASE("BPF sees a child fault exactly as often as it does") {
  BpfMachine machine;
  for (const Touch how : {Touch::Write, Touch::Read, Touch::Populate}) {
    CAPTURE(static_cast<char>(how));
    Toucher child(how, 777);
    const ProcessValues before = machine.values(child.pid());
    child.touch();
    CHECK(growth(before, machine.values(child.pid()), ProcessMetric::MinorFaults) == 777);
  }
}

TEST_CASE("Mappings by BPF are the lines of /proc/PID/maps") {
  BpfMachine machine;
  const Workload child([](int) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    auto* const memory =
        static_cast<char*>(mmap(nullptr, 200 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    for (std::size_t i = 0; i < 200; i += 2) mprotect(memory + i * page, page, PROT_READ);
  });
  std::ifstream maps("/proc/" + std::to_string(child.pid()) + "/maps");
  std::uint64_t lines = 0;
  for (std::string line; std::getline(maps, line);) lines += line.ends_with("[vsyscall]") ? 0 : 1;
  CHECK(lines > 200);
  CHECK(machine.values(child.pid()).get(ProcessMetric::Mappings) == lines);
}

TEST_CASE("Resident memory by BPF is within the error that Hello gives") {
  BpfMachine machine;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  const auto processors = static_cast<std::uint64_t>(sysconf(_SC_NPROCESSORS_ONLN));
  const std::uint64_t off = std::max<std::uint64_t>(32, 2 * processors) * processors;
  Toucher child(Touch::Write, 10'000);
  const ProcessValues before = machine.values(child.pid());
  child.touch();
  const ProcessValues after = machine.values(child.pid());
  for (const ProcessMetric metric : {ProcessMetric::ResidentBytes, ProcessMetric::TouchedPrivateBytes}) {
    const std::uint64_t pages = growth(before, after, metric) / page;
    CHECK(pages >= 10'000 - off);
    CHECK(pages <= 10'000 + off);
  }
  CHECK(growth(before, after, ProcessMetric::CommitBytes) == 0);
}

TEST_CASE("Resident memory by BPF is that of /proc to the page, if /proc is exact, while a user is looking") {
  const auto files = makeProcFiles("/proc");
  REQUIRE(files);
  if (!statmCountsSinglePages(**files)) SKIP("/proc/PID/statm lags on this kernel");
  BpfMachine machine;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  constexpr std::uint64_t kPagesARound = 7;
  constexpr std::uint64_t kRounds = 20;
  auto* const memory = static_cast<char*>(
      mmap(nullptr, kRounds * kPagesARound * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  const Workload child([&](int round) {
    for (std::uint64_t i = 0; i < kPagesARound; ++i)
      static_cast<volatile char*>(memory)[(static_cast<std::uint64_t>(round) * kPagesARound + i) * page] = 1;
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t round = 1; round < kRounds; ++round) {
    child.next();
    const ProcessValues values = machine.values(child.pid());
    std::uint64_t size = 0;
    std::uint64_t resident = 0;
    std::uint64_t shared = 0;
    std::ifstream("/proc/" + std::to_string(child.pid()) + "/statm") >> size >> resident >> shared;
    if (values.get(ProcessMetric::ResidentBytes) != resident * page) ++wrong;
    if (values.get(ProcessMetric::TouchedPrivateBytes) != (resident - shared) * page) ++wrong;
  }
  CHECK(wrong == 0);
}

TEST_CASE("Threads that come and go lose no faults of their process, and its end reports all") {
  BpfMachine machine;
  const pid_t child = fork();
  if (child == 0) {
    for (int round = 0; round < 60; ++round) {
      std::vector<std::thread> threads;
      threads.reserve(8);
      for (int i = 0; i < 8; ++i)
        threads.emplace_back([] {
          std::vector<char> memory(1 << 20);
          memory[4096] = 1;
        });
      for (std::thread& thread : threads) thread.join();
    }
    _exit(0);
  }
  std::uint64_t last = 0;
  std::uint64_t sweeps = 0;
  std::uint64_t backwards = 0;
  for (;; ++sweeps) {
    machine.sweep();
    const ProcessSample* const process = machine.find(child);
    if (process == nullptr) break;
    const std::uint64_t now = process->values.get(ProcessMetric::MinorFaults).value_or(0);
    if (now < last) ++backwards;
    last = now;
  }
  rusage usage{};
  wait4(child, nullptr, 0, &usage);
  CHECK(sweeps > 3);
  CHECK(backwards == 0);
  const ProcessSample* const exited = machine.findExited(child);
  REQUIRE(exited != nullptr);
  CHECK(exited->values.get(ProcessMetric::MinorFaults) == static_cast<std::uint64_t>(usage.ru_minflt));
}

namespace {

struct Told {
  std::uint64_t parent = 0;
  std::uint64_t faults = 0;
  std::uint64_t names = 0;

  void add(const Snapshot& snapshot) {
    for (const ProcessSample& process : snapshot.exited) {
      if (process.values.get(ProcessMetric::ParentPid) != parent) continue;
      faults += process.values.get(ProcessMetric::MinorFaults).value_or(0);
      if (process.name != kUnnamedEnded) ++names;
    }
  }
};

}  // namespace

TEST_CASE("Ends beyond the kernel's room keep every fault in the sum of their parent", "[slow]") {
  constexpr std::uint32_t kChildren = 5000;  // the ring holds about 3000
  const EndsTurn turn;
  Parent parent;
  BpfMachine machine;
  machine.sweep();
  parent.have(kChildren);
  Told told{.parent = parent.pid()};
  for (int i = 0; i < 2; ++i) {
    machine.sweep();
    told.add(machine.snapshot);
  }
  CHECK(told.faults == parent.faults());
  CHECK(told.names > 1000);
  CHECK(told.names < kChildren);
  CHECK(machine.snapshot.system.get(SystemMetric::LostExits).value_or(0) >= kChildren - told.names);
}

TEST_CASE("A reader that runs the errand in time keeps the names of more ends than the kernel has room for", "[slow]") {
  const EndsTurn turn;
  Parent parent;
  BpfMachine machine;
  machine.sweep();
  const Errand errand = machine.sampler->errand();
  REQUIRE(errand.file >= 0);
  int runs = 0;
  for (int i = 0; i < 50; ++i) {
    parent.have(100);
    pollfd ready{.fd = errand.file, .events = POLLIN, .revents = 0};
    if (poll(&ready, 1, 0) != 1) continue;
    errand.run();
    ++runs;
  }
  Told told{.parent = parent.pid()};
  machine.sweep();
  told.add(machine.snapshot);
  CHECK(runs > 0);
  CHECK(told.names == 5000);
  CHECK(told.faults == parent.faults());
}

TEST_CASE("A sampler needs no privilege after it was created, if the kernel allows that") {
  BpfMachine machine;
  if (machine.sampler->needs().privileges) SKIP("this kernel requires a capability in each sweep");
  machine.sweep();
  CHECK(machine.snapshot.system.has(SystemMetric::LostExits));
}

TEST_CASE("Without capabilities BPF is refused with a sentence, which the sampler of /proc passes on") {
  if (geteuid() != 0) SKIP("only root has capabilities to give up");
  {
    const BpfMachine works;
  }
  const int end = inChild([] {
    if (setgid(65534) != 0 || setuid(65534) != 0) return 1;
    const auto made = makeBpfSampler(systemClock(), true);
    if (made || made.error().why.find("cap_bpf") == std::string::npos || made.error().enable.empty()) return 2;
    const auto sampler = makeSystemSampler(systemClock(), {});
    if (!sampler) return 3;
    const Hello hello = (*sampler)->hello();
    const bool told = hello.quality(ProcessMetric::ZeroedBytes).how == made.error().why;
    return told && hello.quality(ProcessMetric::MinorFaults).grade == Grade::Exact ? 0 : 4;
  });
  CHECK(end == 0);
}

TEST_CASE("Fault time that was switched off is unavailable with that reason, and all else is measured") {
  BpfMachine machine(false);
  const Hello hello = machine.sampler->hello();
  for (const ProcessMetric metric : {ProcessMetric::FaultTime, ProcessMetric::TimedMajorFaults}) {
    CHECK(hello.quality(metric).grade == Grade::Unavailable);
    CHECK(hello.quality(metric).how.find("witched off") != std::string::npos);
  }
  machine.sweep();
  REQUIRE(machine.find(getpid()) != nullptr);
  CHECK_FALSE(machine.find(getpid())->values.has(ProcessMetric::FaultTime));
  CHECK(machine.find(getpid())->values.has(ProcessMetric::ZeroedBytes) ==
        (hello.quality(ProcessMetric::ZeroedBytes).grade != Grade::Unavailable));
}
