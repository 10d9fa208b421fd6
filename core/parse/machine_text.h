// Names of the system and the processor, from os-release(5) and /proc/cpuinfo. Pure. Empty if the text has none.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] std::string prettyName(std::string_view osRelease);   // PRETTY_NAME, unquoted
[[nodiscard]] std::string processorName(std::string_view cpuinfo);  // of the first processor

}  // namespace faultline
