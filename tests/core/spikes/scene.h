// Scene: synthetic snapshots for tests of the monitor, one tick at a time.
#pragma once

#include <algorithm>
#include <string>

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline::test {

constexpr Nanoseconds kTick = std::chrono::milliseconds(10);

inline Hello helloOf(Nanoseconds interval) {
  Hello hello;
  hello.interval = interval;
  for (Quality& quality : hello.process) quality.grade = Grade::Exact;
  for (Quality& quality : hello.system) quality.grade = Grade::Exact;
  return hello;
}

// A machine that booted some time ago; tick() advances its clock.
struct Scene {
  explicit Scene(Nanoseconds every = std::chrono::milliseconds(500)) : interval(every) {
    now.time = {std::chrono::hours(1)};
    now.wallTime = {std::chrono::hours(24) * 20'000};
  }

  ProcessSample& process(std::uint32_t pid, std::uint64_t startTime = 0) {
    const ProcessKey key{pid, startTime};
    const auto it = std::ranges::lower_bound(now.processes, key, {}, &ProcessSample::key);
    if (it != now.processes.end() && it->key == key) return *it;
    ProcessSample fresh{key, "p" + std::to_string(pid), {}};
    fresh.values.set(ProcessMetric::MinorFaults, 0);
    fresh.values.set(ProcessMetric::MajorFaults, 0);
    return *now.processes.insert(it, fresh);
  }
  // A process that starts now.
  ProcessSample& birth(std::uint32_t pid) {
    return process(pid, static_cast<std::uint64_t>((now.time.sinceEpoch + now.suspended) / kTick * kTick.count()));
  }
  void death(const ProcessKey& key) {
    std::erase_if(now.processes, [&](const ProcessSample& sample) { return sample.key == key; });
  }
  void fault(std::uint32_t pid, std::uint64_t minor, std::uint64_t major = 0) {
    const auto it = std::ranges::find(now.processes, pid, [](const ProcessSample& sample) { return sample.key.pid; });
    it->values.set(ProcessMetric::MinorFaults, it->values.get(ProcessMetric::MinorFaults).value_or(0) + minor);
    it->values.set(ProcessMetric::MajorFaults, it->values.get(ProcessMetric::MajorFaults).value_or(0) + major);
  }
  void tick() { tick(interval); }
  void tick(Nanoseconds step) {
    now.time = now.time + step;
    now.wallTime.sinceEpoch += step;
  }

  Nanoseconds interval;
  Snapshot now;
};

}  // namespace faultline::test
