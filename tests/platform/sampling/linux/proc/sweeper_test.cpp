#include "platform/sampling/linux/proc/sweeper.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/fake_proc.h"

using namespace faultline;
using namespace std::chrono_literals;
using faultline::test::FakeProc;

namespace {

constexpr std::uint64_t kTick = 10'000'000;
constexpr Nanoseconds kLater = 1h;  // long after every process in these tests began

struct SweptMachine {
  FakeProc proc;
  ProcSweeper table;
  std::vector<ProcessSample> samples;

  explicit SweptMachine(std::size_t keptFiles = 100) : table(proc, {.keptFiles = keptFiles}) {}
  bool sweep(Nanoseconds sinceBoot = kLater) { return table.sweep(sinceBoot, samples); }
};

}  // namespace

TEST_CASE("a sweep reads every process, sorted by key") {
  SweptMachine machine;
  machine.proc.add({.pid = 70, .name = "b", .minorFaults = 5, .majorFaults = 2, .startTicks = 7});
  machine.proc.add({.pid = 9, .name = "we b) (x", .minorFaults = UINT64_MAX});
  REQUIRE(machine.sweep());
  REQUIRE(machine.samples.size() == 2);
  CHECK(machine.samples[0].key == ProcessKey{9, 100 * kTick});
  CHECK(machine.samples[0].name == "we b) (x");
  CHECK(machine.samples[0].values.get(ProcessMetric::MinorFaults) == UINT64_MAX);
  const ProcessValues& values = machine.samples[1].values;
  CHECK(values.get(ProcessMetric::MinorFaults) == 5U);
  CHECK(values.get(ProcessMetric::MajorFaults) == 2U);
  CHECK(values.get(ProcessMetric::Threads) == 3U);
  CHECK(values.get(ProcessMetric::ResidentBytes) == 50U * 4096);
  CHECK(values.get(ProcessMetric::TouchedPrivateBytes) == 30U * 4096);
  CHECK(values.get(ProcessMetric::CommitBytes) == 70U * 4096);
  CHECK_FALSE(values.has(ProcessMetric::ZeroedBytes));
}

TEST_CASE("descriptors are kept, and all closed in the end") {
  FakeProc proc;
  {
    ProcSweeper table(proc, {.keptFiles = 100});
    std::vector<ProcessSample> samples;
    for (std::uint32_t pid = 1; pid <= 10; ++pid) proc.add({.pid = pid, .kernelThread = pid > 5});
    REQUIRE(table.sweep(kLater, samples));
    CHECK(proc.openFiles() == 25);  // three each, but a kernel thread has no statm worth reading
    const std::uint64_t opens = proc.opens();
    REQUIRE(table.sweep(kLater, samples));
    CHECK(proc.opens() == opens);
    CHECK(samples[9].values.get(ProcessMetric::CommitBytes) == 0U);
    proc.kill(3);
    REQUIRE(table.sweep(kLater, samples));
    CHECK(proc.openFiles() == 22);
  }
  CHECK(proc.openFiles() == 0);
}

TEST_CASE("a kernel thread that becomes a program gets its memory read") {
  SweptMachine machine;
  machine.proc.add({.pid = 5, .kernelThread = true});
  REQUIRE(machine.sweep());
  machine.proc.at(5).kernelThread = false;
  REQUIRE(machine.sweep());
  CHECK(machine.samples[0].values.get(ProcessMetric::ResidentBytes) == 50U * 4096);
}

TEST_CASE("a changed name is reported") {
  SweptMachine machine;
  machine.proc.add({.pid = 5, .name = "bash"});
  REQUIRE(machine.sweep());
  machine.proc.at(5).name = "make";
  REQUIRE(machine.sweep());
  CHECK(machine.samples[0].name == "make");
}

TEST_CASE("beyond the limit of descriptors files are reopened, with the same result") {
  SweptMachine few(5);
  SweptMachine many;
  for (std::uint32_t pid = 1; pid <= 20; ++pid) {
    few.proc.add({.pid = pid, .minorFaults = pid});
    many.proc.add({.pid = pid, .minorFaults = pid});
  }
  for (int sweep = 0; sweep < 3; ++sweep) {
    REQUIRE(few.sweep());
    REQUIRE(many.sweep());
    CHECK(few.samples == many.samples);
    CHECK(few.proc.openFiles() <= 5);
  }
  CHECK(few.proc.mostOpenFiles() <= 7);
}

TEST_CASE("a process that dies between two of its reads is left out") {
  SweptMachine machine;
  machine.proc.add({.pid = 1});
  machine.proc.add({.pid = 2});
  REQUIRE(machine.sweep());
  machine.proc.beforeRead = [&](const test::FakeProcess& process, const std::string& file) {
    if (process.pid == 1 && process.alive && file == "statm") machine.proc.kill(1);
  };
  ++machine.proc.at(1).minorFaults;
  REQUIRE(machine.sweep());
  REQUIRE(machine.samples.size() == 1);
  CHECK(machine.samples[0].key.pid == 2);
}

TEST_CASE("a new process under an old pid is another process") {
  SweptMachine machine;
  machine.proc.add({.pid = 8, .minorFaults = 900, .startTicks = 100});
  REQUIRE(machine.sweep());
  machine.proc.kill(8);
  machine.proc.add({.pid = 8, .name = "next", .minorFaults = 3, .startTicks = 250});
  REQUIRE(machine.sweep());
  REQUIRE(machine.samples.size() == 1);
  CHECK(machine.samples[0].key == ProcessKey{8, 250 * kTick});
  CHECK(machine.samples[0].name == "next");
  CHECK(machine.samples[0].values.get(ProcessMetric::MinorFaults) == 3U);
}

TEST_CASE("a pid reused within one tick gets a key of its own each time") {
  SweptMachine machine;
  const Nanoseconds soon(100 * kTick + 5'000'000);
  machine.proc.add({.pid = 8});
  REQUIRE(machine.sweep(soon));
  CHECK(machine.samples[0].key == ProcessKey{8, 100 * kTick});
  for (std::uint64_t reuse = 1; reuse <= 3; ++reuse) {
    machine.proc.kill(8);
    machine.proc.add({.pid = 8});
    REQUIRE(machine.sweep(soon));
    REQUIRE(machine.samples.size() == 1);
    CHECK(machine.samples[0].key == ProcessKey{8, 100 * kTick + reuse});
  }
  REQUIRE(machine.sweep());
  CHECK(machine.samples[0].key == ProcessKey{8, 100 * kTick + 3});
}

TEST_CASE("a pid reused within one tick, with a sweep in between that sees neither") {
  SweptMachine machine;
  const Nanoseconds soon(100 * kTick + 5'000'000);
  machine.proc.add({.pid = 8});
  REQUIRE(machine.sweep(soon));
  machine.proc.kill(8);
  REQUIRE(machine.sweep(soon));
  CHECK(machine.samples.empty());
  machine.proc.add({.pid = 8});
  REQUIRE(machine.sweep(soon));
  REQUIRE(machine.samples.size() == 1);
  CHECK(machine.samples[0].key == ProcessKey{8, 100 * kTick + 1});
}

TEST_CASE("a replaced process without kept descriptors is detected by its start time") {
  SweptMachine machine(0);
  machine.proc.add({.pid = 8, .startTicks = 100});
  REQUIRE(machine.sweep());
  machine.proc.kill(8);
  machine.proc.add({.pid = 8, .startTicks = 101});
  REQUIRE(machine.sweep());
  REQUIRE(machine.samples.size() == 1);
  CHECK(machine.samples[0].key == ProcessKey{8, 101 * kTick});
  CHECK(machine.proc.openFiles() == 0);
}

TEST_CASE("a failed listing loses only new processes") {
  SweptMachine machine;
  machine.proc.add({.pid = 1});
  REQUIRE(machine.sweep());
  machine.proc.add({.pid = 2});
  int calls = 0;
  machine.proc.failure = [&] { return calls++ == 0 ? EIO : 0; };
  CHECK_FALSE(machine.sweep());
  REQUIRE(machine.samples.size() == 1);
  REQUIRE(machine.sweep());
  CHECK(machine.samples.size() == 2);
}

namespace {

// How many of these processes are missing or lack a value. Nothing else may differ from the truth.
std::size_t damage(const std::vector<ProcessSample>& samples, const std::vector<ProcessSample>& truth) {
  std::size_t damaged = truth.size() - samples.size();
  for (const ProcessSample& sample : samples) {
    ProcessSample whole = truth.at(sample.key.pid - 1);
    if (sample == whole) continue;
    ++damaged;
    whole.values.clear(ProcessMetric::CommitBytes);  // all three or none: they come from one read
    whole.values.clear(ProcessMetric::ResidentBytes);
    whole.values.clear(ProcessMetric::TouchedPrivateBytes);
    REQUIRE(sample == whole);
  }
  return damaged;
}

void failEveryNth(std::uint64_t every, int error, std::size_t keptFiles) {
  CAPTURE(error, keptFiles, every);
  SweptMachine machine(keptFiles);
  for (std::uint32_t pid = 1; pid <= 12; ++pid) {
    machine.proc.add({.pid = pid,
                      .minorFaults = 3 * std::uint64_t{pid},
                      .threads = pid % 3,
                      .runs = pid,
                      .kernelThread = pid % 4 == 0});
  }
  REQUIRE(machine.sweep());
  const std::vector<ProcessSample> truth = machine.samples;
  machine.proc.failure = [&] { return machine.proc.calls() % every == 0 ? error : 0; };
  for (int sweep = 0; sweep < 5; ++sweep) {
    const std::uint64_t before = machine.proc.calls() / every;
    (void)machine.sweep();
    const std::uint64_t failures = machine.proc.calls() / every - before;
    REQUIRE(damage(machine.samples, truth) <= failures);
  }
  machine.proc.failure = [] { return 0; };
  REQUIRE(machine.sweep());
  REQUIRE(machine.samples == truth);
}

}  // namespace

TEST_CASE("a failing call loses at most its process or value, and only in its sweep") {
  for (const int error : {EIO, EMFILE, EACCES, EINTR, ENOMEM}) {  // ESRCH and ENOENT are no failures but deaths
    for (const std::size_t keptFiles : {std::size_t{0}, std::size_t{9}, std::size_t{100}}) {
      for (std::uint64_t every = 1; every <= 45; ++every) failEveryNth(every, error, keptFiles);
    }
  }
}
