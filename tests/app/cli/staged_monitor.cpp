#include "tests/app/cli/staged_monitor.h"

#include <cstdlib>
#include <ctime>

#include "core/export/columns.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

ProcessSample process(std::uint32_t pid, std::string name, std::uint64_t minor, std::uint64_t major) {
  ProcessSample sample{{pid, pid * 1000ULL}, std::move(name), {}};
  sample.values.set(ProcessMetric::MinorFaults, minor);
  sample.values.set(ProcessMetric::MajorFaults, major);
  sample.values.set(ProcessMetric::ResidentBytes, std::uint64_t{pid} << 20U);
  return sample;
}

Snapshot snapshotAt(Nanoseconds time, std::uint64_t gameFaults) {
  Snapshot snapshot;
  snapshot.time = {time};
  snapshot.wallTime = {1'700'000'000s + time};
  snapshot.scan = 2ms;
  snapshot.processes = {process(7, "two\nlines", 50, 3), process(42, "game", gameFaults, 0),
                        process(99, "日本語の名前", 12, 0)};
  snapshot.processes[1].values.set(ProcessMetric::CommitBytes, std::uint64_t{3} << 29U);
  snapshot.processes[2].values.set(ProcessMetric::CommitBytes, 0);
  snapshot.system.set(SystemMetric::Faults, 100'000 + gameFaults);
  snapshot.system.set(SystemMetric::CommittedBytes, std::uint64_t{5} << 30U);
  snapshot.system.set(SystemMetric::CommitLimitBytes, std::uint64_t{8} << 30U);
  snapshot.system.set(SystemMetric::CollectorCpu, static_cast<std::uint64_t>(time.count()) / 500);
  snapshot.system.set(SystemMetric::MissedDeadlines, 2);
  snapshot.system.set(SystemMetric::DroppedSnapshots, 1);
  return snapshot;
}

}  // namespace

Hello stagedHello() {
  Hello hello;
  hello.version = "0.1.0";
  hello.source = "test";
  hello.clock = "CLOCK_TEST";
  hello.interval = 1s;
  hello.machine = {
      .system = "Testux 1.0", .processor = "Abacus", .processors = 4, .memoryBytes = 8ULL << 30U, .pageBytes = 4096};
  const auto say = [&hello](ProcessMetric metric, Quality quality) { hello.quality(metric) = std::move(quality); };
  for (const ProcessMetric metric : allProcessMetrics())
    say(metric, {.grade = Grade::Exact, .how = "counted", .enable = {}});
  say(ProcessMetric::CommitBytes, {.grade = Grade::Estimated, .how = "data and stack", .enable = {}});
  for (const ProcessMetric metric : {ProcessMetric::ZeroedBytes, ProcessMetric::FaultTime})
    say(metric,
        {.grade = Grade::Unavailable, .how = "needs a privilege", .enable = "Give the collector its capabilities."});
  return hello;
}

Monitor stagedMonitor() {
  Monitor monitor;
  monitor.ingest(stagedHello());
  monitor.ingest(snapshotAt(10s, 1000));
  monitor.ingest(snapshotAt(11s, 9192));
  return monitor;
}

void liveInUtc() {
  static std::string zone = "TZ=UTC0";
  putenv(zone.data());  // NOLINT(concurrency-mt-unsafe): tests have one thread
  tzset();
}

}  // namespace faultline::test
