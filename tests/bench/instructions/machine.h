// A machine of 1000 processes of which 150 are active.
#pragma once

#include <random>

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

using namespace std::chrono_literals;

inline constexpr std::uint32_t kProcesses = 1000;
inline constexpr std::uint32_t kActive = 150;

// The metrics of long ago: where a commit adds metrics, the work stays the same.
inline constexpr std::size_t kMetrics = 14;

inline Snapshot machine() {
  Snapshot snapshot;
  snapshot.time = {1h};
  for (std::uint32_t pid = 1; pid <= kProcesses; ++pid) {
    ProcessSample& sample = snapshot.processes.emplace_back();
    sample.key = {pid, 0};
    sample.name = "process";
    for (std::size_t i = 0; i < kMetrics; ++i) sample.values.set(static_cast<ProcessMetric>(i), 4096);
  }
  return snapshot;
}

inline void advance(Snapshot& snapshot, std::minstd_rand& random) {
  snapshot.time = snapshot.time + 500ms;
  snapshot.wallTime.sinceEpoch += 500ms;
  for (std::uint32_t i = 0; i < kActive; ++i) {
    ProcessValues& values = snapshot.processes[i].values;
    values.set(ProcessMetric::MinorFaults, *values.get(ProcessMetric::MinorFaults) + random() % 2000);
    values.set(ProcessMetric::ResidentBytes, (random() % 1000) * 4096);
  }
}

inline Hello hello() {
  Hello hello;
  hello.interval = 500ms;
  return hello;
}

}  // namespace faultline
