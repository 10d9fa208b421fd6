// Source: RegisterHotKey and WM_HOTKEY in Microsoft's documentation. A key without a window comes to its thread.
#include "platform/host/keys/hot_key.h"

#include <windows.h>

#include <string>

namespace faultline {
namespace {

// No key of Windows, Visual Studio, or the drivers of graphics cards. With Ctrl+Alt, a letter would be a character of
// some keyboards, and debuggers have F12.
constexpr UINT kModifiers = MOD_CONTROL | MOD_ALT | MOD_SHIFT | MOD_NOREPEAT;
constexpr int kNumber = 1;  // of this key in its thread

}  // namespace

std::string_view hotKeyName() {
  return "Ctrl+Alt+Shift+F9";
}

Result<HotKey> HotKey::take() {
  if (::RegisterHotKey(nullptr, kNumber, kModifiers, VK_F9) != 0) return HotKey();
  const DWORD error = ::GetLastError();
  const std::string key(hotKeyName());
  if (error == ERROR_HOTKEY_ALREADY_REGISTERED) return fail("Another program has the key " + key + ".");
  return fail("Windows does not lend the key " + key + " (error " + std::to_string(error) + ").");
}

HotKey::~HotKey() {
  if (m_held) ::UnregisterHotKey(nullptr, kNumber);
}

bool HotKey::pressed(const void* message) const {
  const auto* const told = static_cast<const MSG*>(message);
  return m_held && told->message == WM_HOTKEY && told->hwnd == nullptr && told->wParam == kNumber;
}

}  // namespace faultline
