// SpikeRule: the thresholds of one metric. Rates are per second.
#pragma once

#include "core/spikes/baseline.h"
#include "core/spikes/detector.h"

namespace faultline {

[[nodiscard]] inline double inSeconds(Nanoseconds span) {
  return std::chrono::duration<double>(span).count();
}

// A starting program touches its memory for the first time. This is a spike only if a person feels it, and if starts of
// the program usually cost less (StartCosts): else a build would report thousands. After ten seconds most compilers
// have exited, and other programs have a past to compare with.
inline constexpr Nanoseconds kStartUp = std::chrono::seconds(10);

// A burst must reach its minimum within this time; slower is a trickle.
inline constexpr Nanoseconds kBurst = std::chrono::seconds(2);

struct SpikeRule {
  double absolute = 0;
  double floor = 0;  // lower rates never stand out from the past
  double least = 0;
  double startEnter = 0;  // rate that begins a burst while a program starts
  double startLeast = 0;  // minimum of that burst

  // The mean rate below which there is no spike.
  [[nodiscard]] double lowest() const { return std::min(absolute, floor); }
  // The rate that begins a burst in a process with this past.
  [[nodiscard]] double enter(const SpikeOptions& options, Baseline& past) const;
};

// `length` is the moment's interval.
[[nodiscard]] SpikeRule spikeRule(const SpikeOptions& options, ProcessMetric metric, Nanoseconds length);

}  // namespace faultline
