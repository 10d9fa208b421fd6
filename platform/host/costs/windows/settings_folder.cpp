#include "platform/host/costs/settings_folder.h"

#include <windows.h>

#include <array>

namespace faultline {

std::filesystem::path settingsFolder() {
  std::array<wchar_t, 32'767> folder{};  // the longest that a variable may be
  const DWORD size = ::GetEnvironmentVariableW(L"APPDATA", folder.data(), static_cast<DWORD>(folder.size()));
  if (size == 0 || size >= folder.size()) return {};
  return std::filesystem::path(folder.data()) / L"Faultline";
}

}  // namespace faultline
