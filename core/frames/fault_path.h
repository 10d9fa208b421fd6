// The path of a frame: its culprits and the advice are of the faults on it. Faults of threads for which the frame did
// not wait are not to blame.
#pragma once

#include <optional>
#include <span>

#include "core/culprits/culprits.h"
#include "core/frames/judge.h"

namespace faultline {

// Absent: the times of the frame's faults are unknown, or for whom it waited is unknown and it is not late because of
// its own. Where no thread is known to have most of the faults for which the frame waited, each of the others has the
// same share, as only their sum is known: if the frame waited for less than half of it, and this is most of its time in
// faults, the path is not clear. `samples`: of the frame.
[[nodiscard]] std::optional<FaultPath> faultPathOf(const JudgedFrame& judged,
                                                   std::span<const FaultSample> samples = {});

}  // namespace faultline
