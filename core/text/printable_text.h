// Text of several lines for a terminal.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

// As printableName() (quantity.h), but line ends and tabs are kept.
[[nodiscard]] std::string printableText(std::string_view text);
// For a terminal without UTF-8: Faultline's own signs become similar ones of ASCII, mostly as wide; any other character
// becomes '?'. The text must be valid UTF-8.
[[nodiscard]] std::string inAscii(std::string_view text);
// The last line that is not empty, as printableName() has it.
[[nodiscard]] std::string lastLine(std::string_view text);

}  // namespace faultline
