// SpikeBin: consecutive samples of one process that are judged together, so that the result does not depend on the
// interval. Rates are per second.
#pragma once

#include <optional>
#include <utility>

#include "core/spikes/detector.h"

namespace faultline {

// Hysteresis: a burst ends when the rate stays below this share of the rate that begins one.
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
    std::optional<double> enter;  // rate that begins a burst; computed when a sample first comes near it
    bool loud = false;            // a sample exceeded it
    SpikePeak peak;               // of the samples that exceeded it
  };

  Nanoseconds span{0};
  PerSpikeMetric<Series> series;
  // From the first to the last sample that stands out by any metric.
  MonotonicTime start;
  MonotonicTime end;
  bool loud = false;
  ProcessDeltas before;
  ProcessDeltas inside;
  ProcessDeltas after;

  // Adds the sample of the `interval` that ends at `time`. `standsOut`: one of its rates exceeds `enter`.
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
  // The same of a process in which nothing happened: these amounts are zeros.
  void addIdle(Nanoseconds interval, ProcessDeltas::Bits zeros) {
    span += interval;
    (loud ? after : before).addZeros(zeros);
  }
  [[nodiscard]] ProcessDeltas all() const {
    ProcessDeltas sum = before;
    if (!loud) return sum;
    sum.add(inside);
    sum.add(after);
    return sum;
  }
  // As if new. Most bins are quiet: only the little that they hold is cleared.
  void clear() {
    if (loud) {
      *this = {};
      return;
    }
    span = Nanoseconds{0};
    before = {};
    for (Series& one : series)
      if (one.enter) one = {};
  }
};

}  // namespace faultline
