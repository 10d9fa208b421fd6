// The synthetic machine: each snapshot is a function of its tick alone, so that the reader of a stream can compute the
// same snapshot and compare exactly.
#pragma once

#include <cstdint>

#include "core/model/hello.h"
#include "core/model/snapshot.h"

namespace faultline {

struct SyntheticOptions {
  std::uint32_t processes = 64;  // slots; a slot of role Brief is empty between two processes
  std::uint32_t seed = 1;        // shifts each process's pattern
  bool windows = false;          // has the numbers of Windows, and those of synthetic/windows.h
  Nanoseconds interval = std::chrono::milliseconds(500);
  MonotonicTime start{std::chrono::hours(2)};  // of tick 0
  WallTime wallStart{};
};

// The process in a slot at `t` since tick 0. False: the slot is empty, and `out` is unchanged.
[[nodiscard]] bool syntheticProcess(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t,
                                    ProcessSample& out);
// The final totals of the process that ended in a slot within the last interval before `t`. False: none ended.
[[nodiscard]] bool syntheticExit(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t,
                                 ProcessSample& out);
// Minor and major faults of all processes of a slot since tick 0, ended ones included.
[[nodiscard]] std::uint64_t syntheticSlotFaults(const SyntheticOptions& options, std::uint32_t slot, Nanoseconds t);
// How long all of them took.
[[nodiscard]] FaultDurations syntheticFaultDurations(const SyntheticOptions& options, Nanoseconds t);

// The whole machine at `t` since tick 0, and at a tick; reuses the memory of `out`.
void syntheticMachine(const SyntheticOptions& options, Nanoseconds t, Snapshot& out);
void syntheticSnapshot(const SyntheticOptions& options, std::uint64_t tick, Snapshot& out);
[[nodiscard]] Hello syntheticHello(const SyntheticOptions& options);

}  // namespace faultline
