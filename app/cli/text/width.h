// The width of text in a terminal, in columns.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

// The text must be valid UTF-8. Wide East Asian characters and emoji count two columns, combining marks none.
[[nodiscard]] int textWidth(std::string_view text);
// Exactly `width` columns: padded with blanks on the right or left, or cut and ended with "…".
[[nodiscard]] std::string leftIn(std::string_view text, int width);
[[nodiscard]] std::string rightIn(std::string_view text, int width);
// At most `width` columns.
[[nodiscard]] std::string cutTo(std::string_view text, int width);

}  // namespace faultline
