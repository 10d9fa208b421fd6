// What PresentMon writes: a row per call of Present. 1.x: its time and the time since the call before. 2.x up to 2.3:
// when the processor began with the frame and how long until the next. Later: both.
#pragma once

#include "core/join/csv_rows.h"
#include "core/join/frame_times.h"

namespace faultline {

// `rows` goes on with the row after `head`. One for each process and swap chain, in no order; perhaps none. Absent:
// that is not its head.
[[nodiscard]] std::optional<std::vector<FrameTimes>> parsePresentMon(const std::vector<std::string_view>& head,
                                                                     CsvRows& rows,
                                                                     std::optional<double> ticksPerSecond);

}  // namespace faultline
