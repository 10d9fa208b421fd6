// What PresentMon writes: a row per call of Present. 1.x: its time and the time since the call before. 2.x up to 2.3:
// when the processor began with the frame and how long until the next. Later: both.
#pragma once

#include "core/frames/frame_times.h"

namespace faultline {

[[nodiscard]] bool isPresentMonHead(const std::vector<std::string_view>& head);
// `text` begins with that head. One for each process and swap chain, in no order; perhaps none.
[[nodiscard]] std::vector<FrameTimes> parsePresentMon(std::string_view text, std::optional<double> ticksPerSecond);

}  // namespace faultline
