// RunningSpikes: whether a spike has just begun, by the detector and the thresholds that readers have by default. A
// spike that repeats a habit does not count, nor what a spike goes on with after its first ten seconds.
#pragma once

#include <cstdint>
#include <deque>
#include <map>

#include "core/monitor/own_processes.h"
#include "core/spikes/detector.h"

namespace faultline {

class RunningSpikes {
 public:
  explicit RunningSpikes(const Hello& hello) : m_hello(hello) {}

  void changed(const Hello& hello) { m_hello = hello; }  // of the next snapshots
  // With each snapshot, as it was sampled. True while such a spike runs.
  [[nodiscard]] bool add(const Snapshot& snapshot);

 private:
  void note(const Spike& spike);

  Hello m_hello;
  Snapshot m_previous;
  bool m_hasPrevious = false;
  Moment m_moment;
  OwnProcesses m_own;
  SpikeDetector m_detector;
  std::deque<Spike> m_latest;                          // the newest, each as it was last told
  std::map<std::uint64_t, MonotonicTime> m_runsUntil;  // by the spike's number
};

}  // namespace faultline
