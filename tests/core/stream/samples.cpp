#include "tests/core/stream/samples.h"

#include <algorithm>
#include <limits>

namespace faultline::test {

Hello someHello() {
  Hello hello{.version = "0.1.0",
              .source = "sweep",
              .clock = "CLOCK_MONOTONIC",
              .interval = std::chrono::milliseconds(500),
              .collectorPid = 4242,
              .machine = {.system = "Debian GNU/Linux 12, Linux 6.1.0",
                          .processor = "Some processor",
                          .processors = 8,
                          .memoryBytes = std::uint64_t{16} << 30U,
                          .pageBytes = 4096},
              .zeroingCost = ZeroingCost{.smallNsPerKib = 61.5, .largeNsPerKib = 48.25},
              .watched = {},
              .process = {},
              .system = {}};
  hello.process.fill({Grade::Exact, "/proc/PID/stat", "", 64});
  hello.process.at(6) = {Grade::Unavailable, "No capabilities.", "Give them.", 64};
  hello.system.fill({Grade::Estimated, "by counting", "", 32});
  return hello;
}

Snapshot someSnapshot(std::uint32_t count, std::uint64_t step, std::uint32_t changing) {
  Snapshot snapshot;
  snapshot.time = {Nanoseconds(1'000'000'000'000 + static_cast<std::int64_t>(step) * 500'000'123)};
  snapshot.wallTime = {Nanoseconds(1'790'000'000'000'000'000) + snapshot.time.sinceEpoch};
  snapshot.scan = Nanoseconds(2'345'678);
  for (std::size_t i = 0; i < kSystemMetricCount; ++i) {
    snapshot.system.set(static_cast<SystemMetric>(i), 1'000'000 * (i + 1) + step * 321);
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint64_t turn = i < changing ? step : 0;
    ProcessSample process{
        {100 + i * 3, 5'000'000'000 + i * std::uint64_t{10'000'000}}, "process-" + std::to_string(i), {}};
    process.values.set(ProcessMetric::MinorFaults, 2000 + i * 17 + turn * (20 + i % 300));
    process.values.set(ProcessMetric::MajorFaults, i % 40);
    process.values.set(ProcessMetric::CommitBytes, (3000 + i * 7) * std::uint64_t{4096});
    process.values.set(ProcessMetric::ResidentBytes, (2500 + i * 5 + turn * 13 % 700) * std::uint64_t{4096});
    process.values.set(ProcessMetric::TouchedPrivateBytes, (900 + i * 3 + turn * 11 % 600) * std::uint64_t{4096});
    process.values.set(ProcessMetric::Threads, 1 + i % 12);
    snapshot.processes.push_back(std::move(process));
  }
  return snapshot;
}

std::vector<Snapshot> eventfulSnapshots(std::size_t count) {
  constexpr std::uint64_t kHuge = std::numeric_limits<std::uint64_t>::max();
  std::vector<Snapshot> snapshots;
  for (std::size_t step = 0; step < count; ++step) {
    Snapshot snapshot = someSnapshot(12, step, 5);
    auto& processes = snapshot.processes;
    processes[3].name = step % 2 == 0 ? "we b) (x" : std::string("new\nline\xff");
    processes[4].values.clear(ProcessMetric::CommitBytes);
    if (step % 3 == 0) processes[5].values.clear(ProcessMetric::MajorFaults);
    processes[6].values.set(ProcessMetric::MinorFaults, step % 2 == 0 ? kHuge : 0);
    if (step % 7 >= 5)
      processes[7].values.set(ProcessMetric::ResidentBytes, 4097 + step);  // not a whole number of pages
    if (step % 4 == 1) processes.erase(processes.begin() + 8, processes.begin() + 10);
    if (step % 5 == 2) ++processes.back().key.startTime;  // the pid was reused
    if (step % 6 == 3) processes.erase(processes.begin());
    if (step == 20) processes.clear();
    if (step % 3 == 2) {
      snapshot.exited = someSnapshot(step % 4, step, 3).processes;
      for (ProcessSample& process : snapshot.exited) process.key.pid += 90'001;
    }
    snapshot.suspended = Nanoseconds(step > 4 ? 77 : 0);
    if (step % 3 == 1) snapshot.system.clear(SystemMetric::FreeBytes);
    snapshots.push_back(std::move(snapshot));
  }
  return snapshots;
}

void append(Bytes& out, std::span<const std::byte> bytes) {
  out.insert(out.end(), bytes.begin(), bytes.end());
}

std::vector<Snapshot> snapshotsWithServices(std::size_t count) {
  std::vector<Snapshot> snapshots = eventfulSnapshots(count);
  for (std::size_t step = 0; step < count; ++step) {
    for (ProcessSample& process : snapshots[step].processes) {
      if (process.key.pid == 106) process.service = "none";
      if (process.key.pid == 109) process.service = step % 4 == 0 ? "docker 3f2a9c0d1e4b" : "\xff\n.service";
    }
    for (ProcessSample& process : snapshots[step].exited) process.service = "build.scope";
    if (step % 9 != 8) {
      FaultDurations& durations = snapshots[step].faultDurations.emplace();
      durations.ns = step * 1'000'000'007;
      for (std::size_t i = 0; i < step % 40 && i < FaultDurations::kBuckets; ++i) durations.faults[i] = step * 3 + i;
      if (step % 6 == 5) durations.faults.back() = UINT64_MAX;  // and fewer afterwards: another collector
    }
  }
  return snapshots;
}

}  // namespace faultline::test
