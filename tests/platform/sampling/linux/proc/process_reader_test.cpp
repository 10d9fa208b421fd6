// How little is read of a process that has not moved, and that nothing is missed by it.
#include "platform/sampling/linux/proc/process_reader.h"

#include <array>
#include <catch2/catch_test_macros.hpp>
#include <string>
#include <vector>

#include "platform/sampling/linux/proc/sweeper.h"
#include "tests/support/fake_proc.h"

using namespace faultline;
using namespace std::chrono_literals;
using faultline::test::FakeProc;
using faultline::test::FakeProcess;
using Outcome = ProcessReader::Outcome;

namespace {

struct OneProcess {
  FakeProc proc;
  ProcessReader reader{proc, {.keptFiles = 100}};
  KeptProcess process{.pid = 5};
  ProcessSample sample;
  std::vector<std::string> files;  // that the last read() has read

  explicit OneProcess(FakeProcess fake) {
    fake.pid = 5;
    proc.add(std::move(fake));
    proc.beforeRead = [this](const FakeProcess&, const std::string& file) { files.push_back(file); };
    for (int i = 0; i < 3; ++i) read();
  }
  ~OneProcess() { reader.close(process); }
  OneProcess(const OneProcess&) = delete;
  OneProcess& operator=(const OneProcess&) = delete;

  std::vector<std::string> read(bool whole = false) {
    files.clear();
    REQUIRE(reader.read(process, whole, sample) == Outcome::Read);
    return files;
  }
  [[nodiscard]] bool hasCommit(std::uint64_t pages) const {
    return sample.values.get(ProcessMetric::CommitBytes) == pages * 4096;
  }
};

using Files = std::vector<std::string>;

}  // namespace

TEST_CASE("schedstat shows that a process with one thread still sleeps") {
  OneProcess sleeper({.name = "sleeper", .minorFaults = 8, .threads = 1, .runs = 4});
  const ProcessSample before = sleeper.sample;
  sleeper.sample = {};
  CHECK(sleeper.read() == Files{"schedstat"});
  CHECK(sleeper.sample == before);
  sleeper.proc.at(5).name = "woken";
  ++sleeper.proc.at(5).minorFaults;
  ++sleeper.proc.at(5).runs;
  CHECK(sleeper.read() == Files{"schedstat", "stat", "statm"});
  CHECK(sleeper.sample.name == "woken");
  CHECK(sleeper.sample.values.get(ProcessMetric::MinorFaults) == 9U);
  CHECK(sleeper.read() == Files{"schedstat"});
}

TEST_CASE("a process that runs between the reads of one sweep is read in the next") {
  OneProcess process({.threads = 1, .runs = 4});
  ++process.proc.at(5).runs;
  process.proc.beforeRead = [&](const FakeProcess&, const std::string& file) {
    if (file != "stat") return;
    ++process.proc.at(5).runs;  // after schedstat was read
    process.proc.at(5).data += 10;
  };
  process.read();
  process.proc.beforeRead = [](const FakeProcess&, const std::string&) {};
  process.proc.at(5).minorFaults = 77;
  process.read();
  CHECK(process.sample.values.get(ProcessMetric::MinorFaults) == 77U);
  CHECK(process.hasCommit(process.proc.at(5).data));
}

TEST_CASE("a process that is running, or has several threads, is never taken to sleep") {
  OneProcess running({.threads = 1, .runs = 4, .state = 'R'});
  CHECK(running.read() == Files{"schedstat", "stat", "statm"});
  OneProcess many({.threads = 2, .runs = 4});
  CHECK(many.read() == Files{"stat"});
}

TEST_CASE("without schedstat a process is read in full when stat has changed") {
  OneProcess process({});
  CHECK(process.read() == Files{"stat"});
  const std::array<void (*)(FakeProcess&), 6> moves{
      [](FakeProcess& p) { ++p.minorFaults; },
      [](FakeProcess& p) { ++p.majorFaults; },
      [](FakeProcess& p) { ++p.resident; },
      [](FakeProcess& p) { ++p.threads; },
      [](FakeProcess& p) { p.virtualBytes += 40'960; },  // mapped and not touched
      [](FakeProcess& p) { p.state = 'R'; },
  };
  for (const auto move : moves) {
    process.proc.at(5).data += 10;
    move(process.proc.at(5));
    CHECK(process.read() == Files{"stat", "statm"});
    CHECK(process.hasCommit(process.proc.at(5).data));
    process.proc.at(5).state = 'S';
    process.read();
    CHECK(process.read() == Files{"stat"});
  }
}

TEST_CASE("a new name is reported although statm is not read again") {
  OneProcess process({.name = "bash"});
  process.proc.at(5).name = "make";
  CHECK(process.read() == Files{"stat"});
  CHECK(process.sample.name == "make");
}

TEST_CASE("a statm that could not be read is read the next time") {
  OneProcess process({.threads = 1, .runs = 4});
  ++process.proc.at(5).runs;
  ++process.proc.at(5).minorFaults;
  int calls = 0;
  process.proc.failure = [&] { return ++calls == 3 ? EIO : 0; };
  process.read();
  CHECK_FALSE(process.sample.values.has(ProcessMetric::CommitBytes));
  process.read();
  CHECK(process.sample.values.has(ProcessMetric::CommitBytes));
}

TEST_CASE("a sleeping process is read completely every 16 sweeps, spread over the sweeps") {
  FakeProc proc;
  ProcSweeper table(proc, {.keptFiles = 1000});
  std::vector<ProcessSample> samples;
  for (std::uint32_t pid = 1; pid <= 64; ++pid) proc.add({.pid = pid, .threads = 1 + pid % 2, .runs = 3});
  for (int sweep = 0; sweep < 3; ++sweep) REQUIRE(table.sweep(1h, samples));
  for (std::uint32_t pid = 1; pid <= 64; ++pid) proc.at(pid).shared = 40;  // as when the kernel takes pages back
  std::size_t inThisSweep = 0;
  proc.beforeRead = [&](const FakeProcess&, const std::string& file) { inThisSweep += file == "statm" ? 1U : 0U; };
  for (std::uint32_t sweep = 0; sweep < kSweepsPerWholeRead; ++sweep) {
    inThisSweep = 0;
    REQUIRE(table.sweep(1h, samples));
    CHECK(inThisSweep == 64 / kSweepsPerWholeRead);
  }
  for (const ProcessSample& sample : samples)
    CHECK(sample.values.get(ProcessMetric::TouchedPrivateBytes) == 10U * 4096);
}
