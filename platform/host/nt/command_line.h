// The one line of text that a program on Windows gets, from which it takes its arguments apart itself. Pure, in UTF-8.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace faultline {

// As CommandLineToArgvW and the compilers' main() take it apart ("Parsing C command-line arguments", Microsoft).
[[nodiscard]] std::string quotedArgument(std::string_view argument);
[[nodiscard]] std::string commandLine(std::string_view program, const std::vector<std::string>& arguments);

[[nodiscard]] bool isBatchFile(std::string_view program);
// For cmd.exe, which has other rules. Error: an argument that it could take for a command or a variable.
[[nodiscard]] Result<std::string> batchCommandLine(std::string_view file, const std::vector<std::string>& arguments);

}  // namespace faultline
