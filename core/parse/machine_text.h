// What a machine calls itself: os-release(5) and /proc/cpuinfo. Pure; empty where the text does not say.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] std::string prettyName(std::string_view osRelease);   // PRETTY_NAME, unquoted
[[nodiscard]] std::string processorName(std::string_view cpuinfo);  // of the first processor

}  // namespace faultline
