// A full screen, told to a terminal: what it is sent is the same on every system. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline {

// Alternate screen, no cursor, no wrapping of long lines; and back.
inline constexpr std::string_view kEnterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l";
inline constexpr std::string_view kLeaveScreen = "\x1b[?7h\x1b[?25h\x1b[?1049l";

// The lines, from the top left; whatever was below or right of them goes.
[[nodiscard]] std::string screenText(const std::vector<std::string>& lines);

}  // namespace faultline
