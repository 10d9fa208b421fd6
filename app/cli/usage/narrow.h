// Help in lines of at most 80 columns, as terminals begin with. Pure.
#pragma once

#include <string>
#include <string_view>

namespace faultline {

constexpr int kHelpColumns = 80;

// Breaks lines that are longer: a paragraph anew, a row of a table below its last column, a list of choices after
// commas. Lines that begin with blanks and "faultline-cli" are commands to copy, and stay.
[[nodiscard]] std::string narrowed(std::string_view help);

}  // namespace faultline
