// SpikeDetector: tells when a process's fault rate stands out, by threshold or against its own recent past.
// One burst is one spike. Silent on first samples and gaps, while a program starts, and on noise that is steady.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/monitor/rates.h"

namespace faultline {

// A burst is a spike when it is above the absolute threshold or stands out, and has enough faults to be felt. It is
// judged by half seconds, or whole intervals if these are longer, so that what is one does not depend on the interval.
struct SpikeOptions {
  double minorPerSecond = 50'000;  // absolute threshold: a spike unless it is habit
  double majorPerSecond = 200;
  double factor = 4;  // or: this many times the process's own recent median...
  // ...and beyond its noise: on a log scale so many times as far from the median as the highest tenth of the past.
  // That is six standard deviations; with four, log-normal noise in a hundred busy processes is flagged hourly.
  double reach = 5;
  std::uint64_t leastFaults = 2'000;              // in the burst: 8 MB, about 1 ms; a busy shell prompt is no spike
  std::uint64_t leastMajorFaults = 50;            // the same for major faults: each waits for the disk
  Nanoseconds memory = std::chrono::seconds(60);  // "recent"

  bool operator==(const SpikeOptions&) const = default;
};

struct Spike {
  std::uint64_t id = 0;  // counts up from 1
  ProcessKey key;
  std::string name;
  ProcessMetric metric = ProcessMetric::MinorFaults;
  MonotonicTime start;  // of the first interval that stood out: when the last quiet one ended
  MonotonicTime peakTime;
  MonotonicTime end;  // of the last interval that stood out so far
  WallTime wallStart;
  double peakPerSecond = 0;
  double usualPerSecond = 0;  // the recent median it stood out from
  std::uint64_t faults = 0;   // from start to end, quieter moments in between included
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
