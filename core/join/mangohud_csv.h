// What MangoHud logs: two rows about the system, then a row per frame, or per log_interval, written when the frame had
// ended. Frame times are microseconds before version 0.6.9 and milliseconds since; the frames per second beside them
// tell which.
#pragma once

#include "core/join/csv_rows.h"
#include "core/join/frame_times.h"

namespace faultline {

// `rows` goes on with the row after `head`. Absent: that is not its head.
[[nodiscard]] std::optional<FrameTimes> parseMangoHud(const std::vector<std::string_view>& head, CsvRows& rows);

}  // namespace faultline
