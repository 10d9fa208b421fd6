// Logs of frames without a process or a clock. Fraps' frametimes: the time of each frame since the begin, in ms.
// Unreal's CSV profiler: a row per frame with its time in ms among other columns, which may go on to the right as the
// profile does; the columns and a row about the machine may end the file.
#pragma once

#include "core/join/csv_rows.h"
#include "core/join/frame_times.h"

namespace faultline {

// `rows` continues after the row `head`. Absent if `head` is not that tool's.
[[nodiscard]] std::optional<FrameTimes> parseFraps(const std::vector<std::string_view>& head, CsvRows& rows);
[[nodiscard]] std::optional<FrameTimes> parseUnreal(const std::vector<std::string_view>& head, CsvRows& rows);

}  // namespace faultline
