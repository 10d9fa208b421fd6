// The cost of a snapshot in the reader: Monitor as a whole and the spike detector alone, by the number of processes and
// of active processes; and of listing the living processes after thousands have ended.
#include "core/monitor/monitor.h"

#include <cstdio>
#include <ctime>
#include <random>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

constexpr int kSweeps = 1000;

double microseconds(std::clock_t spent, int times) {
  return static_cast<double>(spent) * 1e6 / CLOCKS_PER_SEC / times;
}

// The metrics of long ago: as many values in every commit, so that commits compare.
constexpr std::size_t kFixed = 14;
constexpr std::size_t kAll = kProcessMetricCount - 1;

Snapshot machine(std::uint32_t processes, std::size_t metrics) {
  Snapshot snapshot;
  snapshot.time = {1h};
  for (std::uint32_t pid = 1; pid <= processes; ++pid) {
    ProcessSample& sample = snapshot.processes.emplace_back();
    sample.key = {pid, 0};
    sample.name = "process";
    for (std::size_t i = 0; i < metrics; ++i) sample.values.set(static_cast<ProcessMetric>(i), 4096);
  }
  return snapshot;
}

void advance(Snapshot& snapshot, std::uint32_t active, std::minstd_rand& random) {
  snapshot.time = snapshot.time + 500ms;
  snapshot.wallTime.sinceEpoch += 500ms;
  for (std::uint32_t i = 0; i < active; ++i) {
    ProcessValues& values = snapshot.processes[i].values;
    values.set(ProcessMetric::MinorFaults, *values.get(ProcessMetric::MinorFaults) + random() % 2000);
    values.set(ProcessMetric::ResidentBytes, (random() % 1000) * 4096);
  }
}

void sweeps(std::uint32_t processes, std::uint32_t percent, std::size_t metrics = kAll) {
  Hello hello;
  hello.interval = 500ms;
  Monitor monitor;
  monitor.ingest(hello);
  SpikeDetector detector;
  Snapshot snapshot = machine(processes, metrics);
  std::minstd_rand random;
  std::clock_t ingest = 0;
  std::clock_t detect = 0;
  std::size_t spikes = 0;
  for (int i = 0; i < kSweeps; ++i) {
    advance(snapshot, processes * percent / 100, random);
    const std::clock_t begin = std::clock();
    monitor.ingest(snapshot);
    const std::clock_t middle = std::clock();
    spikes += detector.add(monitor.now()).size();
    ingest += middle - begin;
    detect += std::clock() - middle;
  }
  std::printf("%4u processes, %3u %% active, %zu values: %.1f us per snapshot, of which spikes %.1f us (%zu found)%s\n",
              processes, percent, metrics, microseconds(ingest, kSweeps), microseconds(detect, kSweeps), spikes,
              processes == 1000 && percent == 15 ? " (to reach: 150)" : "");
}

void dead() {
  Hello hello;
  hello.interval = 500ms;
  Monitor monitor;
  monitor.ingest(hello);
  Snapshot snapshot = machine(300, kFixed);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    for (std::uint32_t k = 0; k < 10; ++k) snapshot.processes[290 + k].key = {1000 + i * 10 + k, 0};
    snapshot.time = snapshot.time + 500ms;
    monitor.ingest(snapshot);
  }
  std::size_t alive = 0;
  const std::clock_t begin = std::clock();
  for (int i = 0; i < 200; ++i) alive = monitor.history().aliveAt(snapshot.time - 2min).size();
  std::printf("living processes, after 10 000 have ended: %.0f us (%zu)\n", microseconds(std::clock() - begin, 200),
              alive);
}

}  // namespace

int main() {
  for (const std::uint32_t processes : {300U, 1000U}) {
    sweeps(processes, 15);
    sweeps(processes, 100);
    sweeps(processes, 15, kFixed);
    sweeps(processes, 100, kFixed);
  }
  dead();
}
