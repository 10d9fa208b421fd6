// The desktop entry that posix/autostart.cpp writes (freedesktop.org Desktop Entry and Autostart specifications).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] std::string autostartEntry(const std::filesystem::path& program);
// Deleted, or hidden by the desktop's own settings, counts as off.
[[nodiscard]] bool autostartEntryIsOn(std::string_view entry);

}  // namespace faultline
