// The synthetic machine: what every snapshot must hold, as a pure function of its tick. Whoever stands at the far end
// of a stream can compute the same and compare exactly.
#pragma once

#include <cstdint>

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

struct SyntheticOptions {
  std::uint32_t processes = 64;  // slots; that of a short-lived process is empty between two of its lives
  std::uint32_t seed = 1;        // shifts each process's pattern
  Nanoseconds interval = std::chrono::milliseconds(500);
  MonotonicTime start{std::chrono::hours(2)};  // of tick 0
  WallTime wallStart{};
};

// One slot at `t` since tick 0. False: nobody lives there now; `out` is untouched.
[[nodiscard]] bool syntheticProcess(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t,
                                    ProcessSample& out);
// The one who lived in a slot and ended within the last interval before `t`: its final totals. False: nobody did.
[[nodiscard]] bool syntheticExit(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t,
                                 ProcessSample& out);
// Faults of all who have ever lived in a slot, minor and major together.
[[nodiscard]] std::uint64_t syntheticSlotFaults(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t);

// The whole machine at a tick; reuses the memory of `out`.
void syntheticSnapshot(const SyntheticOptions& options, std::uint64_t tick, Snapshot& out);
[[nodiscard]] Hello syntheticHello(const SyntheticOptions& options);

}  // namespace faultline
