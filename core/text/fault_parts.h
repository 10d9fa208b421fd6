// The parts of time inside faults, in words.
#pragma once

#include <array>
#include <optional>
#include <string>

namespace faultline {

// In ns: on a processor, waiting for one, blocked, which add up to the whole; of the blocked time on disk; of the whole
// in reclaim, in compaction. Absent if not measured.
using FaultPartTimes = std::array<std::optional<double>, 6>;

// "80.2 ms on a processor, 2.05 s waiting for a processor, 40.1 ms blocked (38.0 ms of it by the disk), including
// 5.00 ms of reclaim", without parts of 0. Empty unless the first three are known, and not all 0.
[[nodiscard]] std::string faultPartsText(const FaultPartTimes& parts);

}  // namespace faultline
