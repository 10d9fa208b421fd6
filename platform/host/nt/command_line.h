// The command line of a Windows process: a single string, which the program splits into arguments itself. UTF-8; makes
// no system call.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/base/result.h"

namespace faultline {

// Quotes for CommandLineToArgvW and the C runtime (Microsoft, "Parsing C command-line arguments").
[[nodiscard]] std::string quotedArgument(std::string_view argument);
[[nodiscard]] std::string commandLine(std::string_view program, const std::vector<std::string>& arguments);

[[nodiscard]] bool isBatchFile(std::string_view program);
// Quotes for cmd.exe. Error: cmd.exe cannot receive an argument unchanged; the text follows the program's name.
[[nodiscard]] Result<std::string> batchCommandLine(std::string_view file, const std::vector<std::string>& arguments);

}  // namespace faultline
