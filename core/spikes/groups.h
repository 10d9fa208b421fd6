// Groups repeated spikes: "game · 22 times, every 5.0 s". Spikes of similar weight in processes of the same name are
// one habit.
#pragma once

#include <deque>
#include <vector>

#include "core/spikes/detector.h"

namespace faultline {

struct SpikeGroup {
  std::vector<const Spike*> spikes;  // oldest first, never empty

  [[nodiscard]] const Spike& first() const { return *spikes.front(); }
  [[nodiscard]] const Spike& latest() const { return *spikes.back(); }
  [[nodiscard]] std::size_t times() const { return spikes.size(); }
  [[nodiscard]] const Spike& typical() const;   // the spike of median weight
  [[nodiscard]] Nanoseconds every() const;      // median time between starts; 0 for a single spike
  [[nodiscard]] bool regular() const;           // most of these times are within a fifth of the median
  [[nodiscard]] std::size_t processes() const;  // number of processes with such spikes
};

// Cost of a spike in any metric, in multiples of the noticeable minimum.
[[nodiscard]] double spikeWeight(const Spike& spike);

// Groups in the order of their first spikes. `spikes` is sorted, oldest first; the groups point into it.
[[nodiscard]] std::vector<SpikeGroup> groupSpikes(const std::vector<const Spike*>& spikes);
[[nodiscard]] std::vector<SpikeGroup> groupSpikes(const std::deque<Spike>& spikes);

// Whether the spike repeats one of the same process within the last minute, so that no notification is needed.
[[nodiscard]] bool repeatsHabit(const Spike& spike, const std::deque<Spike>& before);

}  // namespace faultline
