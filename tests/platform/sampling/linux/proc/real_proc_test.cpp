// The sampler on the real /proc of the machine that runs the tests.
#include <linux/sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <catch2/catch_test_macros.hpp>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "platform/sampling/linux/proc/page_counts.h"
#include "platform/sampling/linux/proc/sampler.h"
#include "tests/support/headless.h"
#include "tests/support/toucher.h"

using namespace faultline;
using faultline::test::Touch;
using faultline::test::Toucher;

namespace {

struct RealMachine {
  std::unique_ptr<Sampler> sampler;
  Snapshot snapshot;

  RealMachine() {
    auto made = makeProcSampler(systemClock());
    REQUIRE(made);
    sampler = std::move(*made);
  }
  const ProcessSample* sample(pid_t pid) {
    REQUIRE(sampler->sample(snapshot));
    const auto found = std::find_if(snapshot.processes.begin(), snapshot.processes.end(), [&](const ProcessSample& p) {
      return p.key.pid == static_cast<std::uint32_t>(pid);
    });
    return found == snapshot.processes.end() ? nullptr : &*found;
  }
};

// The last of so many samples that the child, which waits, is known to sleep.
ProcessValues settled(RealMachine& machine, const Toucher& child) {
  for (int sweep = 0; sweep < 3; ++sweep) REQUIRE(machine.sample(child.pid()) != nullptr);
  return machine.sample(child.pid())->values;
}

std::uint64_t value(const ProcessValues& values, ProcessMetric metric) {
  const auto found = values.get(metric);
  REQUIRE(found.has_value());
  return found.value_or(0);
}
std::uint64_t value(const ProcessSample* process, ProcessMetric metric) {
  REQUIRE(process != nullptr);
  return value(process->values, metric);
}

// A child that sleeps until it is killed; with a pid of one's choice where this is allowed (0: any).
pid_t sleeper(pid_t wanted = 0) {
  clone_args arguments{};
  arguments.exit_signal = SIGCHLD;
  if (wanted != 0) {
    arguments.set_tid = reinterpret_cast<std::uint64_t>(&wanted);
    arguments.set_tid_size = 1;
  }
  const auto pid = static_cast<pid_t>(syscall(SYS_clone3, &arguments, sizeof arguments));
  if (pid == 0) {
    for (;;) syscall(SYS_ppoll, nullptr, 0, nullptr, nullptr, 0);  // arm64 has no pause()
  }
  return pid;
}
void end(pid_t pid) {
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
}

}  // namespace

TEST_CASE("a child that touches exactly N fresh pages is seen to fault exactly N times") {
  for (const Touch how : {Touch::Write, Touch::Read, Touch::Populate}) {
    for (const std::size_t pages : {std::size_t{1}, std::size_t{777}, std::size_t{16'384}}) {
      CAPTURE(static_cast<char>(how), pages);
      RealMachine machine;
      Toucher child(how, pages);
      const std::uint64_t before = value(settled(machine, child), ProcessMetric::MinorFaults);
      child.touch();
      const std::uint64_t after = value(machine.sample(child.pid()), ProcessMetric::MinorFaults);
      CHECK(after - before == pages);
    }
  }
}

TEST_CASE("resident and touched private memory grow by exactly what was written, where Hello calls them exact") {
  RealMachine machine;
  if (machine.sampler->hello().quality(ProcessMetric::ResidentBytes).grade != Grade::Exact)
    SKIP("this kernel counts resident pages in batches");
  Toucher child(Touch::Write, 1000);
  const ProcessValues before = settled(machine, child);
  child.touch();
  const ProcessValues after = machine.sample(child.pid())->values;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  for (const auto metric : {ProcessMetric::ResidentBytes, ProcessMetric::TouchedPrivateBytes})
    CHECK(value(after, metric) - value(before, metric) == 1000 * page);
  CHECK(after.get(ProcessMetric::CommitBytes) == before.get(ProcessMetric::CommitBytes));
}

TEST_CASE("memory that a sleeping child maps and does not touch is seen at once, as commit only") {
  RealMachine machine;
  Toucher child(Touch::Map, 1000);
  const ProcessValues before = settled(machine, child);
  child.touch();
  const ProcessValues after = machine.sample(child.pid())->values;
  const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  CHECK(value(after, ProcessMetric::CommitBytes) - value(before, ProcessMetric::CommitBytes) == 1000 * page);
  CHECK(after.get(ProcessMetric::MinorFaults) == before.get(ProcessMetric::MinorFaults));
  CHECK(after.get(ProcessMetric::TouchedPrivateBytes) == before.get(ProcessMetric::TouchedPrivateBytes));
}

TEST_CASE("this very process is listed with its own name and faults") {
  RealMachine machine;
  std::array<char, 16> old{};
  prctl(PR_GET_NAME, old.data());
  for (const std::string name :
       {"we b) (x", "line\nbreak", "\xc3\xa4\xe2\x82\xac\xf0\x9f\x8e\xae", "fifteen-bytes-x"}) {
    prctl(PR_SET_NAME, name.c_str());
    rusage before{};
    getrusage(RUSAGE_SELF, &before);
    const ProcessSample* const self = machine.sample(getpid());
    rusage after{};
    getrusage(RUSAGE_SELF, &after);
    REQUIRE(self != nullptr);
    CHECK(self->name == name);
    CHECK(value(self, ProcessMetric::MinorFaults) >= static_cast<std::uint64_t>(before.ru_minflt));
    CHECK(value(self, ProcessMetric::MinorFaults) <= static_cast<std::uint64_t>(after.ru_minflt));
  }
  prctl(PR_SET_NAME, old.data());
}

TEST_CASE("snapshots are sorted, each key once, and times go forward") {
  RealMachine machine;
  (void)machine.sample(getpid());
  const MonotonicTime first = machine.snapshot.time;
  const auto& processes = machine.snapshot.processes;
  CHECK(processes.size() > 1);
  CHECK(std::adjacent_find(processes.begin(), processes.end(),
                           [](const auto& a, const auto& b) { return a.key >= b.key; }) == processes.end());
  (void)machine.sample(getpid());
  CHECK(machine.snapshot.time > first);
  CHECK(machine.snapshot.system.get(SystemMetric::Faults).value_or(0) > 0);
}

TEST_CASE("a child is listed while it lives, and no longer") {
  RealMachine machine;
  const pid_t child = sleeper();
  REQUIRE(child > 0);
  CHECK(machine.sample(child) != nullptr);
  end(child);
  CHECK(machine.sample(child) == nullptr);
}

TEST_CASE("a real pid reused within one tick gets a key of its own") {
  RealMachine machine;
  bool withinTick = false;
  for (int attempt = 0; attempt < 200 && !withinTick; ++attempt) {
    const pid_t first = sleeper();
    REQUIRE(first > 0);
    const ProcessSample* const before = machine.sample(first);
    REQUIRE(before != nullptr);
    const ProcessKey old = before->key;
    end(first);
    const pid_t second = sleeper(first);
    if (second < 0) SKIP("choosing a pid is not allowed here: " << std::strerror(errno));
    const ProcessSample* const after = machine.sample(second);
    REQUIRE(after != nullptr);
    CHECK(after->key.pid == old.pid);
    CHECK(after->key.startTime > old.startTime);
    withinTick = after->key.startTime == old.startTime + 1;
    end(second);
  }
  if (!withinTick) SKIP("this machine is too busy for two processes within one tick");
}

TEST_CASE("the error for a missing /proc is a sentence") {
  const auto made = makeProcSampler(systemClock(), "/nowhere");
  REQUIRE_FALSE(made);
  CHECK(made.error().message.find("/nowhere") != std::string::npos);
}

TEST_CASE("the memory of a process whose first thread has ended is that of its other threads") {
  RealMachine machine;
  const test::Headless process;
  for (int sweep = 0; sweep < 3; ++sweep) {
    const ProcessSample* const sample = machine.sample(process.pid());
    REQUIRE(sample);
    CHECK(sample->values.get(ProcessMetric::ResidentBytes).value_or(0) > std::size_t{16} << 20U);
    CHECK(sample->values.get(ProcessMetric::CommitBytes).value_or(0) > std::size_t{16} << 20U);
  }
}
