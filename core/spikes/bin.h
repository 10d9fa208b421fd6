// SpikeBin: the samples of one process that are judged together, so that what a spike is does not depend on the
// interval. Rates are per second.
#pragma once

#include <optional>
#include <utility>

#include "core/spikes/detector.h"

namespace faultline {

// Hysteresis: a burst ends when the rate stays below this share of what begins one.
inline constexpr double kExitShare = 0.5;

struct SpikePeak {
  double perSecond = 0;
  MonotonicTime time;

  void take(const SpikePeak& other) {
    if (other.perSecond > perSecond) *this = other;
  }
};

struct SpikeBin {
  struct Series {
    std::optional<double> enter;  // the rate that begins a burst; computed for the first sample that could reach it
    bool loud = false;            // a sample stood out alone
    SpikePeak peak;               // of those that did
  };

  Nanoseconds span{0};
  PerSpikeMetric<Series> series;
  // From the first to the last sample that stood out alone, by any metric.
  MonotonicTime start;
  MonotonicTime end;
  bool loud = false;
  ProcessDeltas before;
  ProcessDeltas inside;
  ProcessDeltas after;

  // A sample of the `interval` that ends at `time`; `standsOut` by one of its own rates.
  void add(MonotonicTime time, Nanoseconds interval, const ProcessDeltas& deltas, bool standsOut) {
    span += interval;
    if (!standsOut) {
      (loud ? after : before).add(deltas);
      return;
    }
    if (!loud) start = time - interval;
    loud = true;
    end = time;
    inside.add(std::exchange(after, {}));
    inside.add(deltas);
  }
  [[nodiscard]] ProcessDeltas all() const {
    ProcessDeltas sum = before;
    sum.add(inside);
    sum.add(after);
    return sum;
  }
};

}  // namespace faultline
