// MangoHud logs: two rows about the system, then a row per frame (or per log_interval), written at the end of the
// frame. Frame times are in microseconds before version 0.6.9 and in milliseconds since; the frames per second in the
// same row tell which.
#pragma once

#include "core/join/csv_rows.h"
#include "core/join/frame_times.h"

namespace faultline {

// `rows` continues after the row `head`. Absent if `head` is not MangoHud's.
[[nodiscard]] std::optional<FrameTimes> parseMangoHud(const std::vector<std::string_view>& head, CsvRows& rows);

}  // namespace faultline
