// Which file a person means by the name of a program.
#pragma once

#include <filesystem>

namespace faultline {

// Without a folder it is looked for in those of PATH, without an ending those of PATHEXT are tried. What is not found
// is given back as it is.
[[nodiscard]] std::filesystem::path searchProgram(const std::filesystem::path& name);

}  // namespace faultline
