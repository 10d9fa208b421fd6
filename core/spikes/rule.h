// SpikeRule: what of one metric may make a spike. Rates are per second.
#pragma once

#include "core/spikes/baseline.h"
#include "core/spikes/detector.h"

namespace faultline {

// A program that starts touches its memory for the first time; that is no spike, else a build would be a thousand.
// Ten seconds, since most compilers are gone by then and the others have a past to be judged by.
inline constexpr Nanoseconds kStartUp = std::chrono::seconds(10);

// The least of a burst must come within this time, or it is a trickle.
inline constexpr Nanoseconds kBurst = std::chrono::seconds(2);

struct SpikeRule {
  double absolute = 0;
  double floor = 0;  // rates below never stand out from the past
  double least = 0;
  double startEnter = 0;  // what begins a burst while a program starts...
  double startLeast = 0;  // ...and the least of that burst

  // A mean rate below which nothing can be a spike.
  [[nodiscard]] double lowest() const { return std::min(absolute, floor); }
  // The rate that begins a burst, for who has this past.
  [[nodiscard]] double enter(const SpikeOptions& options, Baseline& past) const;
};

// `length` is that of the moment's interval.
[[nodiscard]] SpikeRule spikeRule(const SpikeOptions& options, ProcessMetric metric, Nanoseconds length);

}  // namespace faultline
