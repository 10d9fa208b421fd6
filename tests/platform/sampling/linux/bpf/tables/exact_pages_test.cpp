// The processes whose memory is read again from /proc, and the values that others keep.
#include "platform/sampling/linux/bpf/tables/exact_pages.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/support/fake_proc.h"
#include "tests/support/mapped_pages.h"

using namespace faultline;
using namespace faultline::test;

namespace {

struct ProcAndBpf {
  FakeProc proc;
  ExactPages pages{proc, kPage};
  std::vector<ProcessSample> told;  // by BPF

  // 50 pages, of which 20 are shared, by /proc; by BPF fewer.
  ProcessSample& add(std::uint32_t pid, std::uint64_t faults) {
    proc.add({.pid = pid, .resident = 50, .shared = 20});
    ProcessSample& process = told.emplace_back();
    process.key = {pid, 7};
    process.values.set(ProcessMetric::MinorFaults, faults);
    process.values.set(ProcessMetric::MajorFaults, 0);
    process.values.set(ProcessMetric::ResidentBytes, 40 * kPage);
    process.values.set(ProcessMetric::TouchedPrivateBytes, 16 * kPage);
    process.values.set(ProcessMetric::SwappedBytes, 3 * kPage);
    return process;
  }
  std::vector<ProcessSample> correct() {
    std::vector<ProcessSample> out = told;
    pages.correct(out);
    return out;
  }
  static std::size_t exact(const std::vector<ProcessSample>& processes) {
    return static_cast<std::size_t>(std::ranges::count_if(processes, [](const ProcessSample& process) {
      return process.values.get(ProcessMetric::ResidentBytes) == 50 * kPage;
    }));
  }
};

}  // namespace

TEST_CASE("Memory by BPF is replaced by that of statm, and pages in swap are added") {
  ProcAndBpf machine;
  machine.add(5, 10);
  const ProcessValues values = machine.correct().at(0).values;
  CHECK(values.get(ProcessMetric::ResidentBytes) == 50 * kPage);
  CHECK(values.get(ProcessMetric::TouchedPrivateBytes) == 33 * kPage);
  CHECK(machine.proc.openFiles() == 0);
}

TEST_CASE("A process whose counts stand still keeps its values without another read") {
  ProcAndBpf machine;
  ProcessSample& process = machine.add(5, 10);
  machine.correct();
  const std::uint64_t opens = machine.proc.opens();
  CHECK(ProcAndBpf::exact(machine.correct()) == 1);
  CHECK(machine.proc.opens() == opens);
  process.values.set(ProcessMetric::MinorFaults, 11);
  machine.proc.at(5).resident = 60;
  CHECK(machine.correct().at(0).values.get(ProcessMetric::ResidentBytes) == 60 * kPage);
}

TEST_CASE("Processes that faulted most are read first, all others in the following sweeps") {
  constexpr std::size_t kMost = ExactPages::kReadAtOnce;
  ProcAndBpf machine;
  for (std::uint32_t i = 0; i < 2 * kMost; ++i) machine.add(100 + i, 1000 + i);
  const std::vector<ProcessSample> first = machine.correct();
  CHECK(ProcAndBpf::exact(first) == kMost);
  CHECK(first.back().values.get(ProcessMetric::ResidentBytes) == 50 * kPage);
  CHECK(first.front().values.get(ProcessMetric::ResidentBytes) == 40 * kPage);
  CHECK(ProcAndBpf::exact(machine.correct()) == 2 * kMost);
}

TEST_CASE("Memory is exact by another thread's statm once the first thread has ended") {
  ProcAndBpf machine;
  machine.add(5, 10);
  machine.proc.at(5).headless = true;
  CHECK(ProcAndBpf::exact(machine.correct()) == 1);
  CHECK(machine.proc.openFiles() == 0);
}

TEST_CASE("An ended process, or a reused pid, keeps no earlier values") {
  ProcAndBpf machine;
  machine.add(5, 10);
  machine.correct();
  machine.proc.kill(5);
  ++machine.told.at(0).key.startTime;
  CHECK(machine.correct().at(0).values.get(ProcessMetric::ResidentBytes) == 40 * kPage);
  machine.told.clear();
  CHECK(machine.correct().empty());
}

TEST_CASE("Kernel threads, which have no memory, are not read") {
  ProcAndBpf machine;
  machine.add(5, 10).values.set(ProcessMetric::ResidentBytes, 0);
  machine.correct();
  CHECK(machine.proc.opens() == 0);
}
