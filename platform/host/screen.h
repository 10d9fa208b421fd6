// The escape sequences of a full-screen program, equal on all systems. Makes no system call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace faultline {

// Alternate screen, hidden cursor, no line wrap; and back.
inline constexpr std::string_view kEnterScreen = "\x1b[?1049h\x1b[?25l\x1b[?7l";
inline constexpr std::string_view kLeaveScreen = "\x1b[?7h\x1b[?25h\x1b[?1049l";

// Draws the lines from the top left and erases the rest of the screen.
[[nodiscard]] std::string screenText(const std::vector<std::string>& lines);

}  // namespace faultline
