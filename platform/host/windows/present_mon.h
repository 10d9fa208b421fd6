// PresentMon on this machine: the console program that tells the frames of any game
// (github.com/GameTechDev/PresentMon).
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

namespace faultline {

// Where it is looked for: beside this program, and where its installer puts it. Never the current folder.
[[nodiscard]] std::vector<std::filesystem::path> presentMonFolders();
// The newest file PresentMon*.exe of the first folder that has one, as an absolute path.
[[nodiscard]] std::optional<std::filesystem::path> findPresentMon(const std::vector<std::filesystem::path>& folders);

}  // namespace faultline
