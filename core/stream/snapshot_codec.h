// Snapshots to MessagePack and back. A key snapshot and a delta have one and the same shape: a key snapshot is the
// delta to an empty one.
#pragma once

#include <cstdint>

#include "core/model/snapshot.h"
#include "core/stream/packing.h"
#include "core/stream/snapshot_diff.h"
#include "core/stream/tokens.h"

namespace faultline::wire {

// kPageShift if all values in bytes are whole pages, else 0.
[[nodiscard]] unsigned byteShift(const Snapshot& snapshot);

// The processes, from the first on, that any one frame can carry: of them, `gone` and `whole` never pass kMaxPayload.
[[nodiscard]] std::span<const ProcessSample> fitting(std::span<const ProcessSample> processes);

void packSnapshot(std::uint64_t sequence, unsigned shift, std::span<const ProcessSample> before, const Snapshot& now,
                  const SnapshotDiff& diff, Packer& out);

// Turns `snapshot` into the one that follows it. False, and `snapshot` of no use any more, if the tokens make no sense.
[[nodiscard]] bool applySnapshot(TokenReader& in, Snapshot& snapshot);

}  // namespace faultline::wire
