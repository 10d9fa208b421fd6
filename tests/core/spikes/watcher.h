// SpikeWatcher: passes a scene's snapshots on as Monitor does, and keeps the last report of each spike.
#pragma once

#include <map>
#include <vector>

#include "core/spikes/detector.h"
#include "tests/core/spikes/scene.h"

namespace faultline::test {

struct SpikeWatcher {
  explicit SpikeWatcher(Nanoseconds interval = std::chrono::milliseconds(500), const SpikeOptions& options = {})
      : detector(options), hello(helloOf(interval)), scene(interval) {}

  // The spikes reported with this moment.
  std::vector<Spike> sweep() { return sweepAfter(scene.interval); }
  std::vector<Spike> sweepAfter(Nanoseconds step) {
    scene.tick(step);
    derive(hello, has ? &previous : nullptr, scene.now, moment);
    previous = scene.now;
    has = true;
    std::vector<Spike> told = detector.add(moment);
    for (const Spike& spike : told) spikes[spike.id] = spike;
    return told;
  }
  // Gives process 1 a steady rate.
  void steady(std::uint64_t perSweep, Nanoseconds span, std::uint64_t majorPerSweep = 0) {
    for (auto sweeps = span / scene.interval; sweeps > 0; --sweeps) {
      scene.fault(1, perSweep, majorPerSweep);
      sweep();
    }
  }
  void faults(std::uint64_t minor, std::uint64_t major = 0) {
    scene.fault(1, minor, major);
    sweep();
  }
  const Spike& only() const { return spikes.begin()->second; }

  SpikeDetector detector;
  Hello hello;
  Scene scene;
  Snapshot previous;
  bool has = false;
  Moment moment;
  std::map<std::uint64_t, Spike> spikes;
};

}  // namespace faultline::test
