// SpikeDetector: finds bursts of page-fault cost in one process, by absolute thresholds or compared with its own recent
// past. Judges minor and major faults, zeroed bytes, time in faults and time of giving memory back, each where it is
// available, and in place of zeroed bytes the growth of resident memory: large pages take few faults. A burst is one
// spike. Ignores first samples, suspends, steady noise, starts of programs that nobody feels or that usually cost as
// much (start_costs.h), giving back at a program's end, and Faultline itself. Where the stream has zeroing in the
// background, judges that too (zeroing_thread_spikes.h, empty_list_spikes.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/spikes/spike.h"

namespace faultline {

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
  std::uint64_t leastZeroThreadNs = 100'000'000;  // the threads clear some 200 MB in that time
  std::uint64_t leastTeardownNs = 20'000'000;     // the same
  std::uint64_t leastResident = 64ULL << 20U;     // much of which may come from files in memory
  Nanoseconds memory = std::chrono::seconds(60);  // length of the recent past

  bool operator==(const SpikeOptions&) const = default;
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
