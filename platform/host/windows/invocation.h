// The program file and the command line by which Windows starts a program.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/base/result.h"

namespace faultline {

struct Invocation {
  std::wstring program;
  std::wstring line;
};

// Searches the program as searchProgram() does. cmd.exe runs batch files, and splits its command line by other rules.
// Error: there is no such program, or cmd.exe cannot receive an argument unchanged; a sentence.
[[nodiscard]] Result<Invocation> invocationOf(const std::filesystem::path& program,
                                              const std::vector<std::string>& arguments);

}  // namespace faultline
