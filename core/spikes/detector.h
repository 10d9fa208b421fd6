// SpikeDetector: finds bursts of page-fault cost in one process, by absolute thresholds or compared with its own recent
// past. Judges minor and major faults, zeroed bytes, time in faults and time of giving memory back, each where it is
// available, and in place of zeroed bytes the growth of resident memory: large pages take few faults. A burst is one
// spike. Ignores first samples, suspends, steady noise, all but very costly starts of programs, and giving back at a
// program's end.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/history/rates.h"

namespace faultline {

// The metrics judged for spikes. Spike::cost has the growth of ResidentBytes.
inline constexpr std::array kSpikeMetrics{ProcessMetric::MinorFaults,   ProcessMetric::MajorFaults,
                                          ProcessMetric::ZeroedBytes,   ProcessMetric::FaultTime,
                                          ProcessMetric::ResidentBytes, ProcessMetric::TeardownTime};
template <class T>
using PerSpikeMetric = std::array<T, kSpikeMetrics.size()>;

// A burst is a spike if it exceeds an absolute threshold or stands out from the past, and reaches the minimum of its
// metric. Rates are judged over half a second, or over an interval if that is longer, so that the result does not
// depend on the interval.
struct SpikeOptions {
  double minorPerSecond = 50'000;  // absolute thresholds; habitual rates above them are not spikes
  double majorPerSecond = 200;
  double zeroedPerSecond = 200.0 * 1024 * 1024;
  double faultNsPerSecond = 200e6;
  double teardownNsPerSecond = 200e6;
  double factor = 4;  // relative threshold: this many times the process's recent median...
  // ...and beyond its noise: on a log scale, this many times as far from the median as the 90th percentile. This is six
  // standard deviations; with four, log-normal noise in a hundred busy processes gives an hourly false alarm.
  double reach = 5;
  // Minimum of a burst by each metric; less is not noticeable: 8 MB in small pages takes about 1 ms to clear.
  std::uint64_t leastFaults = 2'000;
  std::uint64_t leastMajorFaults = 50;  // each waits for the disk
  std::uint64_t leastZeroed = 8ULL << 20U;
  std::uint64_t leastFaultNs = 20'000'000;        // more than a game's frame
  std::uint64_t leastTeardownNs = 20'000'000;     // the same
  std::uint64_t leastResident = 64ULL << 20U;     // much of which may come from files in memory
  Nanoseconds memory = std::chrono::seconds(60);  // length of the recent past

  bool operator==(const SpikeOptions&) const = default;
};

struct Spike {
  std::uint64_t id = 0;  // from 1
  ProcessKey key;
  std::string name;
  ProcessMetric metric = ProcessMetric::MinorFaults;  // one of kSpikeMetrics, in which it is largest
  MonotonicTime start;                                // begin of the first interval that stood out
  MonotonicTime peakTime;
  MonotonicTime end;  // end of the last interval that stood out so far
  WallTime wallStart;
  double peakPerSecond = 0;        // of its metric
  double usualPerSecond = 0;       // recent median of its metric
  std::uint64_t faults = 0;        // major ones if that is its metric, else minor ones; from start to end
  ProcessDeltas cost;              // all counters, from start to end, quiet moments included
  bool again = false;              // set by Monitor: repeats a habit, so do not notify again
  bool zeroedEstimated = false;    // set by Monitor: zeroed bytes are not exact
  bool teardownEstimated = false;  // the same of the time of giving memory back
  // May still grow. Ends after a second of quiet, at a gap, or with its process, whose last faults it includes if it
  // stood out until then.
  bool open = true;

  bool operator==(const Spike&) const = default;
};

class SpikeDetector {
 public:
  explicit SpikeDetector(SpikeOptions options = {});
  ~SpikeDetector();
  SpikeDetector(SpikeDetector&&) noexcept;
  SpikeDetector& operator=(SpikeDetector&&) noexcept;

  // Applies to bursts that begin from now on; a running burst keeps its threshold.
  void setOptions(const SpikeOptions& options);
  // The spikes that began, grew or ended with this moment.
  [[nodiscard]] std::vector<Spike> add(const Moment& moment);

 private:
  struct State;
  std::unique_ptr<State> m_state;
};

}  // namespace faultline
