// The cost of measuring to the watched programs. The manual pages and the README quote these figures.
#pragma once

#include <string_view>

namespace faultline {

inline constexpr std::string_view kTimingCost = "15 to 45 %";   // of each fault's time
inline constexpr std::string_view kCountingCost = "4 to 10 %";  // of each fault's time, to count zeroed bytes

}  // namespace faultline
