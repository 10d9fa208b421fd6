// EmptyListSpikes: times without zeroed pages, where the stream has the zeroed list. The faults of such a spike are
// those that asked for a zeroed page in intervals that begin and end with an empty list: at least so many zeroed their
// page themselves. As many are needed as for a spike of faults.
#pragma once

#include <optional>

#include "core/spikes/detector.h"

namespace faultline {

// The list counts as empty at this many bytes: threads and faults put some pages on it all the time.
inline constexpr std::uint64_t kEmptyZeroedList = 1ULL << 20U;

class EmptyListSpikes {
 public:
  // The spike that began, grew or ended with this moment. Counts `lastId` on for a new one.
  [[nodiscard]] std::optional<Spike> add(const Moment& moment, const SpikeOptions& options, std::uint64_t& lastId);

 private:
  [[nodiscard]] std::optional<Spike> close();

  std::optional<Spike> m_spike;  // since the list is empty
  bool m_empty = false;          // in the last moment
};

}  // namespace faultline
