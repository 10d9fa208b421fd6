// The desktop entry of posix/autostart.cpp (freedesktop.org Desktop Entry and Autostart specifications).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace faultline {

[[nodiscard]] std::string autostartEntry(const std::filesystem::path& program);
// False if the entry is empty or switched off by the desktop's settings.
[[nodiscard]] bool autostartEntryIsOn(std::string_view entry);

}  // namespace faultline
