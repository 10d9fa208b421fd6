// Spikes that repeat, together: "game · 22 times, every 5.0 s". A program's spikes of about the same weight are one
// habit, whichever of its processes has it.
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
  [[nodiscard]] const Spike& typical() const;   // that of middle weight
  [[nodiscard]] Nanoseconds every() const;      // the middle time from one to the next; 0 of a single one
  [[nodiscard]] bool regular() const;           // most of those times are within a fifth of it
  [[nodiscard]] std::size_t processes() const;  // how many have it
};

// How much a spike costs, whatever tells it: so many times what is felt at the least.
[[nodiscard]] double spikeWeight(const Spike& spike);

// In the order of their first spikes; `spikes` oldest first. They point at those, or into the deque.
[[nodiscard]] std::vector<SpikeGroup> groupSpikes(const std::vector<const Spike*>& spikes);
[[nodiscard]] std::vector<SpikeGroup> groupSpikes(const std::deque<Spike>& spikes);

// Whether this one only repeats what the same process did within the minute before, so that nobody need be told again.
[[nodiscard]] bool repeatsHabit(const Spike& spike, const std::deque<Spike>& before);

}  // namespace faultline
