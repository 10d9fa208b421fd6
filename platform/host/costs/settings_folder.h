// The folder of the user's settings for Faultline.
#pragma once

#include <filesystem>

namespace faultline {

// Need not exist. Empty: the environment names none.
[[nodiscard]] std::filesystem::path settingsFolder();

}  // namespace faultline
