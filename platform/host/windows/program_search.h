// Finds the file of a program by its name.
#pragma once

#include <filesystem>
#include <optional>

namespace faultline {

// Tries the extensions of PATHEXT. Searches the folders of PATH if the name has no folder; absent if none has the
// program. Returns a name with a folder unchanged if there is no such file.
[[nodiscard]] std::optional<std::filesystem::path> searchProgram(const std::filesystem::path& name);

}  // namespace faultline
