#include "platform/host/windows/autostart.h"

#include <windows.h>

#include <array>

#include "platform/host/autostart.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

constexpr const wchar_t* kName = L"Faultline";

LSTATUS removeValue(const std::wstring& key) {
  const LSTATUS status = ::RegDeleteKeyValueW(HKEY_CURRENT_USER, key.c_str(), kName);
  return status == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : status;
}

// The value has 12 bytes; an odd first byte means switched off.
bool switchedOff(const std::wstring& key) {
  std::array<BYTE, 12> value{};
  DWORD size = value.size();
  const LSTATUS status =
      ::RegGetValueW(HKEY_CURRENT_USER, key.c_str(), kName, RRF_RT_REG_BINARY, nullptr, value.data(), &size);
  return status == ERROR_SUCCESS && (value.front() & 1U) != 0;
}

}  // namespace

Result<void> enableAutostart(const AutostartKeys& keys, std::filesystem::path program) {
  const std::wstring line = L'"' + program.make_preferred().native() + L"\" --hidden";  // Qt's paths have slashes
  const auto bytes = static_cast<DWORD>((line.size() + 1) * sizeof(wchar_t));
  LSTATUS status = ::RegSetKeyValueW(HKEY_CURRENT_USER, keys.run.c_str(), kName, REG_SZ, line.c_str(), bytes);
  if (status == ERROR_SUCCESS) status = removeValue(keys.approved);
  if (status == ERROR_SUCCESS) return {};
  return fail("Faultline cannot start at login: " + reasonOf(static_cast<DWORD>(status)) + ".");
}

Result<void> disableAutostart(const AutostartKeys& keys) {
  const LSTATUS status = removeValue(keys.run);
  if (status == ERROR_SUCCESS) return {};
  return fail("Faultline still starts at login: " + reasonOf(static_cast<DWORD>(status)) + ".");
}

bool autostartEnabled(const AutostartKeys& keys) {
  return ::RegGetValueW(HKEY_CURRENT_USER, keys.run.c_str(), kName, RRF_RT_REG_SZ, nullptr, nullptr, nullptr) ==
             ERROR_SUCCESS &&
         !switchedOff(keys.approved);
}

Result<void> enableAutostart(const std::filesystem::path& program) {
  return enableAutostart(AutostartKeys{}, program);
}
Result<void> disableAutostart() {
  return disableAutostart(AutostartKeys{});
}
bool autostartEnabled() {
  return autostartEnabled(AutostartKeys{});
}

}  // namespace faultline
