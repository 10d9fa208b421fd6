// Snapshots to MessagePack and back. A key snapshot and a delta have one and the same shape: a key snapshot is the
// delta to an empty one.
#pragma once

#include <cstdint>
#include <span>

#include "core/model/snapshot.h"
#include "core/stream/packing.h"
#include "core/stream/snapshot_diff.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

// kPageShift if all values in bytes are whole pages, else 0.
[[nodiscard]] unsigned byteShift(const Snapshot& snapshot);

// The processes, from the first on, that any one frame can carry: of them, `gone`, `whole` and `exited` never pass
// kMaxPayload.
struct Fitting {
  std::span<const ProcessSample> processes;
  std::span<const ProcessSample> exited;
};
[[nodiscard]] Fitting fitting(const Snapshot& snapshot);

// A snapshot frame before it is packed: `now`, with what of it fits, as a difference to `before`.
struct SnapshotFrame {
  std::uint64_t sequence = 0;
  unsigned shift = 0;
  std::span<const ProcessSample> before;
  const Snapshot& now;
  Fitting fitting;
};
void packSnapshot(const SnapshotFrame& frame, const SnapshotDiff& diff, Packer& out);

// Turns `snapshot` into the one that follows it; `fields` is how many the frame's array has. False, and `snapshot` of
// no use any more, if the tokens make no sense.
[[nodiscard]] bool applySnapshot(TokenReader& in, std::uint32_t fields, Snapshot& snapshot);

}  // namespace faultline::wire
