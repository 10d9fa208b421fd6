// SpikeDetector: tells when what memory costs a process stands out, by threshold or against its own recent past: its
// faults, the memory cleared for it and its time inside faults, each where it is measured. One burst is one spike.
// Silent on first samples and suspends, while a program starts unless that costs a lot, and on noise that is steady.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/history/rates.h"

namespace faultline {

// By what a burst may stand out.
inline constexpr std::array kSpikeMetrics{ProcessMetric::MinorFaults, ProcessMetric::MajorFaults,
                                          ProcessMetric::ZeroedBytes, ProcessMetric::FaultTime};
template <class T>
using PerSpikeMetric = std::array<T, kSpikeMetrics.size()>;

// A burst is a spike when it is above an absolute threshold or stands out, and has enough to be felt. It is judged by
// half seconds, or whole intervals if these are longer, so that what is one does not depend on the interval.
struct SpikeOptions {
  double minorPerSecond = 50'000;  // absolute thresholds: a spike unless it is habit
  double majorPerSecond = 200;
  double zeroedPerSecond = 200.0 * 1024 * 1024;
  double faultNsPerSecond = 200e6;
  double factor = 4;  // or: this many times the process's own recent median...
  // ...and beyond its noise: on a log scale so many times as far from the median as the highest tenth of the past.
  // That is six standard deviations; with four, log-normal noise in a hundred busy processes is flagged hourly.
  double reach = 5;
  // The least in a burst by each metric. What costs less is not felt: 8 MB in small pages takes about 1 ms to clear.
  std::uint64_t leastFaults = 2'000;
  std::uint64_t leastMajorFaults = 50;  // each waits for the disk
  std::uint64_t leastZeroed = 8ULL << 20U;
  std::uint64_t leastFaultNs = 20'000'000;        // more than a frame
  Nanoseconds memory = std::chrono::seconds(60);  // "recent"

  bool operator==(const SpikeOptions&) const = default;
};

struct Spike {
  std::uint64_t id = 0;  // counts up from 1
  ProcessKey key;
  std::string name;
  ProcessMetric metric = ProcessMetric::MinorFaults;  // of kSpikeMetrics that by which it stands out most
  MonotonicTime start;  // of the first interval that stood out: when the last quiet one ended
  MonotonicTime peakTime;
  MonotonicTime end;  // of the last interval that stood out so far
  WallTime wallStart;
  double peakPerSecond = 0;   // of its metric
  double usualPerSecond = 0;  // the recent median it stood out from
  std::uint64_t faults = 0;   // major ones if these tell it, else minor ones; from start to end, as all that it cost
  ProcessDeltas cost;         // all counters, from start to end, quieter moments in between included
  bool again = false;         // Monitor says so: it repeats a habit, and nobody need be told once more
  bool open = true;           // may still go on: it ends after a second of quiet, at a gap, or with its process,
                              // whose last faults it has if it stood out until then

  bool operator==(const Spike&) const = default;
};

class SpikeDetector {
 public:
  explicit SpikeDetector(SpikeOptions options = {});
  ~SpikeDetector();
  SpikeDetector(SpikeDetector&&) noexcept;
  SpikeDetector& operator=(SpikeDetector&&) noexcept;

  // For what begins from now on: a burst that has begun ends by the threshold that it passed.
  void setOptions(const SpikeOptions& options);
  // Spikes that began, grew or ended with this moment.
  [[nodiscard]] std::vector<Spike> add(const Moment& moment);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline
