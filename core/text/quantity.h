// Numbers for the user: three significant figures, SI prefixes for counts, binary prefixes for bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "core/base/units.h"

namespace faultline {

inline constexpr std::string_view kUnavailable = "–";

// Not finite: "–". Above zero but too small to show: "<0.01".
[[nodiscard]] std::string formatCount(std::uint64_t count);      // "8 192", with U+202F, at which no line breaks; exact
[[nodiscard]] std::string formatRate(double perSecond);          // "12.4 k", "0", "0.5"; no unit
[[nodiscard]] std::string formatBytes(std::uint64_t bytes);      // "1.21 GiB", "812 B"
[[nodiscard]] std::string formatDuration(Nanoseconds duration);  // "14.2 ms"; from two minutes on "3 h 12 min"
[[nodiscard]] std::string formatDuration(double ns);             // rounded to whole ns
[[nodiscard]] std::string formatPercent(double share);           // 0.003 -> "0.3 %"
// A raw process name made safe for a line of text. Characters that are invisible, move the cursor or change the writing
// direction become
// , \x1b or \u{202e}; bytes that are not UTF-8 become \xff.
[[nodiscard]] std::string printableName(std::string_view rawName);

}  // namespace faultline
