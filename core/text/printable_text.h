// Text of several lines for a terminal: as printableName() (quantity.h), but line ends and tabs are kept.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] std::string printableText(std::string_view text);
// The last line that is not empty, as printableName() has it.
[[nodiscard]] std::string lastLine(std::string_view text);

}  // namespace faultline
