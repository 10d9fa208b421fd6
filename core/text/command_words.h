// A command line as a user types it, without a shell: "sort -k '2 3' words.txt".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace faultline {

// Blanks part words; quotes, single or double, keep them; a backslash keeps the next letter (within double quotes of "
// and \ alone). Nothing is expanded. Error: a quote is not closed, or there is no word; the message quotes the line.
[[nodiscard]] Result<std::vector<std::string>> commandWords(std::string_view line);

}  // namespace faultline
