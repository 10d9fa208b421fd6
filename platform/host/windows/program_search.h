// Finds the file of a program by its name.
#pragma once

#include <filesystem>

namespace faultline {

// Searches the folders of PATH if the name has no folder, and tries the extensions of PATHEXT. Returns the name
// unchanged if nothing is found.
[[nodiscard]] std::filesystem::path searchProgram(const std::filesystem::path& name);

}  // namespace faultline
