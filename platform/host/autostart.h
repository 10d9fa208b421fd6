// Autostart: starts the tray app when this user logs in. Errors are sentences for the user.
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace faultline {

// Starts `program --hidden` at login. Linux: $XDG_CONFIG_HOME/autostart/faultline.desktop; Windows: the Run key.
[[nodiscard]] Result<void> enableAutostart(const std::filesystem::path& program);
[[nodiscard]] Result<void> disableAutostart();
[[nodiscard]] bool autostartEnabled();

}  // namespace faultline
