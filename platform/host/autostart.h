// Autostart: what the desktop starts when this user logs in. Failures are sentences for the user.
#pragma once

#include <filesystem>

#include "core/base/result.h"

namespace faultline {

// `program` is started with --hidden. On Linux: $XDG_CONFIG_HOME/autostart/faultline.desktop.
[[nodiscard]] Result<void> enableAutostart(const std::filesystem::path& program);
[[nodiscard]] Result<void> disableAutostart();
[[nodiscard]] bool autostartEnabled();

}  // namespace faultline
