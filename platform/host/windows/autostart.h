// The autostart entry in the registry, below keys of the caller's choice.
#pragma once

#include <filesystem>
#include <string>

#include "core/base/result.h"

namespace faultline {

// Below HKEY_CURRENT_USER.
struct AutostartKeys {
  std::wstring run = L"Software\\Microsoft\\Windows\\CurrentVersion\\Run";
  // Task Manager and Settings store here which entries the user has switched off.
  std::wstring approved = L"Software\\Microsoft\\Windows\\CurrentVersion\\Explorer\\StartupApproved\\Run";
};

[[nodiscard]] Result<void> enableAutostart(const AutostartKeys& keys, std::filesystem::path program);
[[nodiscard]] Result<void> disableAutostart(const AutostartKeys& keys);
[[nodiscard]] bool autostartEnabled(const AutostartKeys& keys);

}  // namespace faultline
