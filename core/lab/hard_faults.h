// The rows of experiment serialise about faults that wait for the disk.
#pragma once

#include <string_view>

namespace faultline {

inline constexpr std::string_view kHardFaultWay = "disk";
inline constexpr std::string_view kHardFaultAlone = "hard fault";
inline constexpr std::string_view kHardFaultMap = "map";
inline constexpr std::string_view kHardFaultMapBeside = "map beside hard faults";

}  // namespace faultline
