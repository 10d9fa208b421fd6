// What measuring costs the watched programs, as promised wherever it is told: the manual pages and the README say the
// same.
#pragma once

#include <string_view>

namespace faultline {

inline constexpr std::string_view kTimingCost = "15 to 45 %";   // of each fault's time
inline constexpr std::string_view kCountingCost = "4 to 10 %";  // of each fault's time, to count what is zeroed

}  // namespace faultline
