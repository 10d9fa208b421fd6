// Groups repeated spikes: "game · 22 times, every 5.0 s". Spikes of similar weight in one process, or in processes of
// the same program, are one habit. Samples tell a program by its name and by that of its parent, no file and no
// command.
#pragma once

#include <deque>
#include <optional>
#include <vector>

#include "core/spikes/detector.h"

namespace faultline {

struct SpikeGroup {
  std::vector<const Spike*> spikes;  // oldest first, never empty

  [[nodiscard]] const Spike& first() const { return *spikes.front(); }
  [[nodiscard]] const Spike& latest() const { return *spikes.back(); }
  [[nodiscard]] std::size_t times() const { return spikes.size(); }
  [[nodiscard]] const Spike& typical() const;   // the spike of median weight
  [[nodiscard]] std::size_t processes() const;  // number of processes with such spikes
  // Times between occasions, the shortest first. Spikes that start within half a second of another are one occasion:
  // several processes may do the same together.
  [[nodiscard]] std::vector<Nanoseconds> pauses() const;
};

// The rhythm of such times: their median, if there are at least two and most are within a fifth of it.
[[nodiscard]] std::optional<Nanoseconds> rhythm(const std::vector<Nanoseconds>& pauses);

// Cost of a spike in any metric, in multiples of the noticeable minimum.
[[nodiscard]] double spikeWeight(const Spike& spike);

// Groups in the order of their first spikes. `spikes` is sorted, oldest first; the groups point into it.
[[nodiscard]] std::vector<SpikeGroup> groupSpikes(const std::vector<const Spike*>& spikes);
[[nodiscard]] std::vector<SpikeGroup> groupSpikes(const std::deque<Spike>& spikes);

// Whether the spike repeats one of the same process within the last minute, so that no notification is needed.
[[nodiscard]] bool repeatsHabit(const Spike& spike, const std::deque<Spike>& before);

}  // namespace faultline
