// How much room text takes in a terminal.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

// Columns of valid UTF-8: wide East Asian characters and emoji count two, combining marks none.
[[nodiscard]] int textWidth(std::string_view text);
// Exactly `width` columns: filled with blanks on the right or left, or cut and ended with "…".
[[nodiscard]] std::string leftIn(std::string_view text, int width);
[[nodiscard]] std::string rightIn(std::string_view text, int width);
// At most `width` columns.
[[nodiscard]] std::string cutTo(std::string_view text, int width);

}  // namespace faultline
