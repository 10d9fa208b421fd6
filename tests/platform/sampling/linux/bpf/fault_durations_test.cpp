// The durations of the machine's faults, counted in the kernel, against the timed faults of all processes.
#include <linux/types.h>
#include <sys/mman.h>
#include <unistd.h>

#include <map>

#include "platform/sampling/linux/bpf/kernel/sweep/duration_bucket.h"
#include "tests/support/bpf_machine.h"
#include "tests/support/mapped_pages.h"
#include "tests/support/workload.h"

using namespace faultline;
using namespace faultline::test;

namespace {

constexpr std::size_t kTouched = 20'000;

void touchPagesIn(int /*round*/) {
  char* const memory = mapPages(kTouched * 4096);
  madvise(memory, kTouched * 4096, MADV_NOHUGEPAGE);
  for (std::size_t i = 0; i < kTouched; ++i) static_cast<volatile char*>(memory)[i * 4096] = 1;
  munmap(memory, kTouched * 4096);
}

std::uint64_t valueOf(const ProcessSample& process, ProcessMetric metric) {
  return process.values.get(metric).value_or(0);
}

// What has grown from one sweep to the next.
struct Grown {
  std::uint64_t faults = 0;  // timed, of all processes
  std::uint64_t ns = 0;
  FaultDurations durations;
};

class Sweeps {
 public:
  explicit Sweeps(BpfMachine& machine) : m_machine(machine) { next(); }

  Grown next() {
    usleep(20'000);
    m_machine.sweep();
    Grown grown;
    for (const auto* const processes : {&m_machine.snapshot.processes, &m_machine.snapshot.exited})
      for (const ProcessSample& process : *processes) add(process, grown);
    REQUIRE(m_machine.snapshot.faultDurations);
    const FaultDurations before = std::exchange(m_before, *m_machine.snapshot.faultDurations);
    grown.durations.ns = m_before.ns - before.ns;
    for (std::size_t i = 0; i < FaultDurations::kBuckets; ++i)
      grown.durations.faults[i] = m_before.faults[i] - before.faults[i];
    return grown;
  }

 private:
  void add(const ProcessSample& process, Grown& grown) {
    ProcessSample& before = m_processes[process.key];
    grown.faults += valueOf(process, ProcessMetric::TimedFaults) - valueOf(before, ProcessMetric::TimedFaults);
    grown.ns += valueOf(process, ProcessMetric::FaultTime) - valueOf(before, ProcessMetric::FaultTime);
    before = process;
  }

  BpfMachine& m_machine;
  std::map<ProcessKey, ProcessSample> m_processes;
  FaultDurations m_before;
};

}  // namespace

TEST_CASE("Each duration is in the bucket of its power of two") {
  CHECK(bucketOf(0) == 0);
  CHECK(bucketOf(1) == 0);
  for (std::size_t i = 0; i + 1 < FaultDurations::kBuckets; ++i) {
    const std::uint64_t most = FaultDurations::upper(i);
    CHECK(bucketOf(most) == i);
    CHECK(bucketOf(most + 1) == i + 1);
    CHECK(bucketOf(most + most / 2) == i + 1);
  }
  CHECK(bucketOf(UINT64_MAX) == FaultDurations::kBuckets - 1);
}

// The buckets are read before the processes of a sweep: between the first sweep's and the fourth's lies all that the
// processes tell from the first to the third. Beyond it lie faults of the time between, and those of processes after
// the report of their end.
TEST_CASE("The durations of the machine's faults are those of the timed faults of all processes") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  const Workload child(touchPagesIn);
  Sweeps sweeps(machine);
  const Grown quiet = sweeps.next();
  child.next();
  const Grown busy = sweeps.next();
  const Grown after = sweeps.next();
  const std::uint64_t faults = quiet.faults + busy.faults;
  const std::uint64_t all = quiet.durations.count() + busy.durations.count() + after.durations.count();
  INFO(faults << " timed faults, " << busy.durations.count() << " to " << all << " in the buckets");
  CHECK(busy.faults >= kTouched);
  CHECK(busy.durations.count() >= kTouched);
  CHECK(all >= faults);
  CHECK(quiet.durations.ns + busy.durations.ns + after.durations.ns >= quiet.ns + busy.ns);
  CHECK(busy.durations.count() <= faults + faults / 50 + 64);
}

TEST_CASE("The time of all faults lies between the bounds of their buckets") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  const Workload child(touchPagesIn);
  Sweeps sweeps(machine);
  child.next();
  const FaultDurations grown = sweeps.next().durations;
  if (grown.faults.back() > 0) SKIP("a fault took more than 8 s");
  std::uint64_t least = 0;
  std::uint64_t most = 0;
  for (std::size_t i = 0; i + 1 < FaultDurations::kBuckets; ++i) {
    if (i > 0) least += grown.faults[i] * FaultDurations::upper(i - 1);
    most += grown.faults[i] * FaultDurations::upper(i);
  }
  CHECK(grown.ns >= least);
  CHECK(grown.ns <= most);
}

TEST_CASE("While no user is looking durations are absent, and no fault is counted") {
  BpfMachine machine;
  machine.require(ProcessMetric::FaultTime);
  const Workload child(touchPagesIn);
  machine.sweep();
  const auto before = machine.snapshot.faultDurations;
  machine.sampler->attend(false);
  machine.sweep();
  CHECK_FALSE(machine.snapshot.faultDurations);
  child.next();
  machine.sampler->attend(true);
  machine.sweep();
  REQUIRE((before && machine.snapshot.faultDurations));
  CHECK(machine.snapshot.faultDurations->count() >= before->count());
  CHECK(machine.snapshot.faultDurations->count() < before->count() + kTouched);
}
