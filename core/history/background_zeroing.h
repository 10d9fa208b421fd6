// Zeroing in the background, as Windows does it: the rates of the machine's own numbers.
#pragma once

#include <optional>

#include "core/history/history.h"

namespace faultline {

// Time in which a processor counts these cycles, in ns per second. Absent: not measured.
[[nodiscard]] std::optional<double> timeOfCycles(const Moment& now, SystemMetric cycles);

// Time of the zeroing threads, in ns per second: by cycles if they are measured, else by ticks. Absent: not measured.
[[nodiscard]] std::optional<double> zeroThreadTime(const Moment& now);

// Bytes per second of page faults that asked for a zeroed page. Absent: not measured.
[[nodiscard]] std::optional<double> askedForZeroed(const Moment& now, const Hello& hello);

// Cycles of the zeroing threads per page zeroed in the minute before the newest sample. An estimate: the pages are
// those that page faults asked for, and those by which the zeroed list grew. Absent: not measured, or the threads were
// idle.
[[nodiscard]] std::optional<double> cyclesPerZeroedPage(const History& history, const Hello& hello);

}  // namespace faultline
