// KeyPlace: where a key snapshot of a recording stands. The end packet of a recording has all of them, and its spikes
// (format.md, kind 4), so that a long one opens without a look at each of its packets.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/base/units.h"
#include "core/spikes/spike.h"

namespace faultline {

struct KeyPlace {
  std::uint64_t offset = 0;            // of the packet in the file
  std::optional<std::uint64_t> hello;  // offset of the last Hello before it
  MonotonicTime time;                  // of the snapshot

  bool operator==(const KeyPlace&) const = default;
};

inline constexpr std::size_t kMostPlaces = 65'536;                    // 45 days at 2 Hz
inline constexpr std::size_t kLongestEnd = std::size_t{3} << 20U;     // bytes of an end packet with as many
inline constexpr std::size_t kLongestSpikes = std::size_t{1} << 20U;  // bytes of the spikes in it

// Adds a place; of more than kMostPlaces, every other one goes.
void addPlace(std::vector<KeyPlace>& places, const KeyPlace& place);

struct RecordingIndex {
  std::vector<KeyPlace> places;  // each has a Hello
  // Absent: the writer looked for none, or they took more than kLongestSpikes.
  std::optional<std::vector<Spike>> spikes;

  bool operator==(const RecordingIndex&) const = default;
};

// The end packet, which stands at `offset` in the file.
[[nodiscard]] std::string packEnd(std::uint64_t offset, const RecordingIndex& index);

// `tail`: the last bytes of a file, from `offset` on. Absent if they do not end in an end packet with places, if places
// are impossible, and if the packet was written at another offset: the file is put together of several recordings.
// Impossible spikes are absent alone.
[[nodiscard]] std::optional<RecordingIndex> indexOfEnd(std::span<const std::byte> tail, std::uint64_t offset);

}  // namespace faultline
