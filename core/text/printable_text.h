// A text of several lines for a terminal: as printableName() (quantity.h), but the ends of lines and tabs stay.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] std::string printableText(std::string_view text);

}  // namespace faultline
