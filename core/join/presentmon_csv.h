// PresentMon logs: a row per call of Present. 1.x: the time of the call and the time since the previous one. 2.0 to
// 2.3: when the CPU began the frame and the time to the next. Later: both.
#pragma once

#include "core/join/csv_rows.h"
#include "core/join/frame_times.h"

namespace faultline {

// The column that tells the runs of a capture file of CapFrameX apart, as SwapChainAddress does swap chains.
inline constexpr std::string_view kCapFrameXRun = "CapFrameX run";

// `rows` continues after the row `head`. One entry for each process and swap chain, unsorted, possibly without frames.
// Absent if `head` is not PresentMon's.
[[nodiscard]] std::optional<std::vector<FrameTimes>> parsePresentMon(const std::vector<std::string_view>& head,
                                                                     CsvRows& rows,
                                                                     std::optional<double> ticksPerSecond);

}  // namespace faultline
