// StagedMonitor: a Monitor fed with synthetic snapshots, so that a test knows every number that a model must show.
#pragma once

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "core/monitor/monitor.h"

namespace faultline {

inline constexpr Nanoseconds kStageInterval = std::chrono::milliseconds(500);

class StagedMonitor {
 public:
  explicit StagedMonitor(std::size_t keptSpikes = 1000) : monitor(optionsKeeping(keptSpikes)) {
    hello.interval = kStageInterval;
    hello.machine.pageBytes = 4096;
    for (Quality& quality : hello.process) quality.grade = Grade::Exact;
    hello.quality(ProcessMetric::ZeroedBytes) = {Grade::Unavailable, "Needs a capability.", "Grant it.", 64};
    monitor.ingest(hello);
  }

  ProcessSample& process(std::uint32_t pid, const std::string& name = "proc") {
    const ProcessKey key{pid, 1000 + pid};
    ProcessSample& sample = processes[key];
    if (sample.key == ProcessKey{}) {
      sample.key = key;
      sample.name = name;
      for (const ProcessMetric metric :
           {ProcessMetric::MinorFaults, ProcessMetric::MajorFaults, ProcessMetric::CommitBytes,
            ProcessMetric::ResidentBytes, ProcessMetric::TouchedPrivateBytes, ProcessMetric::Threads})
        sample.values.set(metric, std::uint64_t{0});
    }
    return sample;
  }

  void kill(std::uint32_t pid) { processes.erase({pid, 1000 + pid}); }

  // Ends the process with its present values, which come with the next tick.
  void exit(std::uint32_t pid) {
    exited.push_back(process(pid));
    kill(pid);
  }

  void add(std::uint32_t pid, ProcessMetric metric, std::uint64_t amount) {
    ProcessValues& values = process(pid).values;
    values.set(metric, values.get(metric).value_or(0) + amount);
  }

  void tick() {
    Snapshot snapshot;
    time = time + kStageInterval;
    snapshot.time = time;
    snapshot.system = system;
    snapshot.wallTime = {std::chrono::seconds(1'700'000'000) + time.sinceEpoch};
    for (const auto& [key, sample] : processes) snapshot.processes.push_back(sample);
    std::ranges::sort(exited, {}, &ProcessSample::key);
    snapshot.exited = std::exchange(exited, {});
    monitor.ingest(snapshot);
  }

  static MonitorOptions optionsKeeping(std::size_t spikes) {
    MonitorOptions options;
    options.keptSpikes = spikes;
    return options;
  }

  Hello hello;
  Monitor monitor;
  SystemValues system;
  std::map<ProcessKey, ProcessSample> processes;
  std::vector<ProcessSample> exited;
  MonotonicTime time{std::chrono::seconds(100)};
};

}  // namespace faultline
