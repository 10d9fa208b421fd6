// The path of a frame that page faults made late: its culprits and the advice are of the faults on it. Faults of
// threads for which the frame did not wait are not to blame.
#pragma once

#include <optional>

#include "core/culprits/culprits.h"
#include "core/frames/judge.h"

namespace faultline {

// Absent: the frame is not late because of page faults, or the times of its faults are unknown. Of several other
// threads each has the same share, as only their sum is known: where the frame waited for less than half of it, and
// this is most of its time in faults, the path is not clear.
[[nodiscard]] std::optional<FaultPath> faultPathOf(const JudgedFrame& judged);

}  // namespace faultline
