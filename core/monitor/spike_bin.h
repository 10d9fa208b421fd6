// SpikeBin: the samples of one metric of one process that are judged together, so that what a spike is does not depend
// on the interval. Rates are per second.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "core/base/units.h"

namespace faultline {

// Hysteresis: a burst ends when the rate stays below this share of what begins one.
inline constexpr double kExitShare = 0.5;

struct SpikeBin {
  Nanoseconds span{0};
  std::uint64_t faults = 0;
  std::optional<double> enter;  // the rate that begins a burst; computed for the first sample that could reach it
  // From the first to the last sample that stood out alone.
  MonotonicTime start;
  MonotonicTime end;
  bool loud = false;
  std::uint64_t before = 0;
  std::uint64_t inside = 0;
  std::uint64_t after = 0;
  double peakPerSecond = 0;
  MonotonicTime peakTime;

  // A sample of the `interval` that ends at `time`; `standsOut` by its own rate.
  void add(MonotonicTime time, Nanoseconds interval, std::uint64_t delta, double rate, bool standsOut) {
    span += interval;
    faults += delta;
    if (!standsOut) {
      (loud ? after : before) += delta;
      return;
    }
    if (!loud) start = time - interval;
    loud = true;
    end = time;
    inside += delta + std::exchange(after, 0);
    if (rate > peakPerSecond) {
      peakPerSecond = rate;
      peakTime = time;
    }
  }
  [[nodiscard]] double rate() const {
    return static_cast<double>(faults) / std::chrono::duration<double>(span).count();
  }
  // As a whole, whether a burst goes on (`burst`) or would begin.
  [[nodiscard]] bool loudFor(bool burst) const { return loud && rate() > *enter * (burst ? kExitShare : 1); }
};

}  // namespace faultline
