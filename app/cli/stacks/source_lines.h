// Lines of source files, as debug information names them.
#pragma once

#include <string>

namespace faultline {

// Without blanks at its ends, at most 200 bytes. Empty: the file cannot be read, or is larger than 16 MiB.
[[nodiscard]] std::string sourceLine(const std::string& file, int line);
// The folder from which reports name sources: that of a workflow's checkout (GITHUB_WORKSPACE), else the present one.
[[nodiscard]] std::string sourceRoot();

}  // namespace faultline
