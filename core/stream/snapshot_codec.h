// Packs and reads snapshots. Key and delta snapshots have the same shape: a key snapshot is the delta to an empty one.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "core/model/snapshot.h"
#include "core/stream/packing.h"
#include "core/stream/snapshot_diff.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

// kPageShift if every value in bytes is a whole number of pages, else 0.
[[nodiscard]] unsigned byteShift(const Snapshot& snapshot);

// The first processes of a snapshot, as many as surely fit: `gone`, `whole` and `exited` together stay within
// kMaxPayload.
struct Fitting {
  std::span<const ProcessSample> processes;
  std::span<const ProcessSample> exited;
};
[[nodiscard]] Fitting fitting(const Snapshot& snapshot);

// A process with all of its values, as in elements 9 and 10 of a snapshot. The reader fails if it is none.
void packProcess(unsigned shift, const ProcessSample& process, Packer& out);
void readProcess(TokenReader& in, unsigned shift, ProcessSample& process);

// A snapshot packet before packing: `now`, limited to `fitting`, as the difference to `before`.
struct SnapshotPacket {
  std::uint64_t sequence = 0;
  unsigned shift = 0;
  std::span<const ProcessSample> before;
  FaultDurations durationsBefore;
  const Snapshot& now;
  Fitting fitting;
};
void packSnapshot(const SnapshotPacket& packet, const SnapshotDiff& diff, Packer& out);

// Turns `snapshot` into its successor; `fields` is the length of the packet's array. False if the tokens are invalid;
// `snapshot` must then not be used.
[[nodiscard]] bool applySnapshot(TokenReader& in, std::uint32_t fields, Snapshot& snapshot);

// Of the snapshot in this payload, of which no more is looked at; absent if it does not begin as one.
[[nodiscard]] std::optional<MonotonicTime> timeOfSnapshot(std::span<const std::byte> payload);

}  // namespace faultline::wire
