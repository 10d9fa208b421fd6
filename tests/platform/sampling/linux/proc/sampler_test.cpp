#include "platform/sampling/linux/proc/sampler.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/allocations.h"
#include "tests/support/fake_clock.h"
#include "tests/support/fake_proc.h"
#include "tests/support/fixture.h"

using namespace faultline;
using namespace std::chrono_literals;

namespace {

struct FakeMachine {
  test::FakeClock clock;
  test::FakeProc* proc = nullptr;
  std::unique_ptr<ProcSampler> sampler;
  Snapshot snapshot;

  explicit FakeMachine(std::string visibility = {}) {
    auto files = std::make_unique<test::FakeProc>();
    files->setFile("vmstat", test::fixture("linux/vmstat"));
    files->setFile("meminfo", test::fixture("linux/meminfo"));
    files->setFile("cpuinfo", test::fixture("linux/cpuinfo"));
    proc = files.get();
    sampler = std::make_unique<ProcSampler>(std::move(files), clock, ProcessReaderOptions{.keptFiles = 10'000},
                                            std::move(visibility));
  }
};

}  // namespace

TEST_CASE("a snapshot carries the clock, the machine's values and every process") {
  FakeMachine machine;
  machine.proc->add({.pid = 3});
  machine.clock.suspend(90s);
  REQUIRE(machine.sampler->sample(machine.snapshot));
  CHECK(machine.snapshot.time == machine.clock.now());
  CHECK(machine.snapshot.wallTime == machine.clock.wall());
  CHECK(machine.snapshot.suspended == 90s);
  CHECK(machine.snapshot.system.get(SystemMetric::TotalBytes) == 24'682'416ULL * 1024);
  CHECK(machine.snapshot.system.get(SystemMetric::Faults).value_or(0) > 0);
  CHECK(machine.snapshot.system.get(SystemMetric::CollectorCpu).value_or(0) > 0);
  CHECK(machine.snapshot.processes.size() == 1);
}

TEST_CASE("the steady state allocates nothing, however many processes there are") {
  FakeMachine machine;
  for (std::uint32_t pid = 1; pid <= 2000; ++pid) {
    machine.proc->add({.pid = pid, .name = "a-kernel-thread-with-a-long-name", .kernelThread = pid % 2 == 0});
  }
  REQUIRE(machine.sampler->sample(machine.snapshot));
  REQUIRE(machine.sampler->sample(machine.snapshot));
  const std::uint64_t before = test::allocations();
  const auto sampled = machine.sampler->sample(machine.snapshot);
  const std::uint64_t after = test::allocations();
  CHECK(sampled.has_value());
  CHECK(after - before == 0);
  CHECK(machine.snapshot.processes.size() == 2000);
}

TEST_CASE("an unreadable /proc is an error until it can be read again") {
  FakeMachine machine;
  machine.proc->add({.pid = 3});
  machine.proc->failure = [] { return EIO; };
  const auto failed = machine.sampler->sample(machine.snapshot);
  REQUIRE_FALSE(failed);
  CHECK(failed.error().message.find("/proc") != std::string::npos);
  machine.proc->failure = [] { return 0; };
  REQUIRE(machine.sampler->sample(machine.snapshot));
  CHECK(machine.snapshot.processes.size() == 1);
  CHECK(machine.snapshot.system.has(SystemMetric::Faults));
}

TEST_CASE("a vmstat that cannot be read leaves its values absent in that sweep only") {
  FakeMachine machine;
  machine.proc->add({.pid = 3});
  int calls = 0;
  machine.proc->failure = [&] { return calls++ == 0 ? EIO : 0; };
  REQUIRE(machine.sampler->sample(machine.snapshot));
  CHECK_FALSE(machine.snapshot.system.has(SystemMetric::Faults));
  CHECK(machine.snapshot.system.has(SystemMetric::FreeBytes));
  REQUIRE(machine.sampler->sample(machine.snapshot));
  CHECK(machine.snapshot.system.has(SystemMetric::Faults));
}

TEST_CASE("Hello has a quality with a text for each number") {
  const Hello hello = FakeMachine().sampler->hello();
  CHECK(hello.source == "sweep");
  CHECK(hello.clock == "CLOCK_MONOTONIC");
  CHECK(hello.machine.processor == "Intel(R) Xeon(R) Processor");
  CHECK(hello.quality(ProcessMetric::MinorFaults).grade == Grade::Exact);
  CHECK(hello.quality(ProcessMetric::CommitBytes).grade == Grade::Estimated);
  CHECK(hello.quality(ProcessMetric::ZeroedBytes).grade == Grade::Unavailable);
  CHECK_FALSE(hello.quality(ProcessMetric::ZeroedBytes).enable.empty());
  for (const auto metric :
       {ProcessMetric::CommitBytes, ProcessMetric::ResidentBytes, ProcessMetric::TouchedPrivateBytes})
    CHECK(hello.quality(metric).how.find("at the latest every " + std::to_string(kSweepsPerWholeRead) + " sweeps") !=
          std::string::npos);
  for (const Quality& quality : hello.process) CHECK_FALSE(quality.how.empty());
  for (const Quality& quality : hello.system) CHECK_FALSE(quality.how.empty());
  for (const auto& row : kSystemFields)
    if (row.systems == Systems::Windows) CHECK(ofNoConcern(hello.quality(row.metric)));
}

TEST_CASE("Hello says which processes are not visible") {
  const Hello hello = FakeMachine("Only this user's processes can be seen").sampler->hello();
  CHECK(hello.quality(ProcessMetric::MinorFaults).how.ends_with("Only this user's processes can be seen"));
}

TEST_CASE("swap makes touched private memory an estimate, a missing counter is unavailable") {
  Hello hello;
  ProcView view;
  view.vmstat.faults = 1;
  view.memory.swapTotal = 4096;
  view.pageCountsExact = true;
  describeQuality(view, hello);
  CHECK(hello.quality(ProcessMetric::TouchedPrivateBytes).grade == Grade::Estimated);
  CHECK(hello.quality(ProcessMetric::ResidentBytes).grade == Grade::Exact);
  CHECK(hello.quality(SystemMetric::Faults).grade == Grade::Exact);
  CHECK(hello.quality(SystemMetric::ThpFaultsAllocated).grade == Grade::Unavailable);
  view.memory.swapTotal = 0;
  describeQuality(view, hello);
  CHECK(hello.quality(ProcessMetric::TouchedPrivateBytes).grade == Grade::Exact);
  view.pageCountsExact = false;
  describeQuality(view, hello);
  CHECK(hello.quality(ProcessMetric::ResidentBytes).grade == Grade::Estimated);
}
