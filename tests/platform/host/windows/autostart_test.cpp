#include "platform/host/windows/autostart.h"

#include <windows.h>

#include <array>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

// Keys that no Windows looks at.
struct OwnKeys : AutostartKeys {
  std::wstring root = L"Software\\faultline-test-" + std::to_wstring(::GetCurrentProcessId());
  OwnKeys() {
    run = root + L"\\Run";
    approved = root + L"\\Approved";
  }
  ~OwnKeys() { ::RegDeleteTreeW(HKEY_CURRENT_USER, root.c_str()); }
  OwnKeys(const OwnKeys&) = delete;
  OwnKeys& operator=(const OwnKeys&) = delete;

  [[nodiscard]] std::wstring line() const {
    std::array<wchar_t, 300> text{};
    DWORD size = sizeof text;
    ::RegGetValueW(HKEY_CURRENT_USER, run.c_str(), L"Faultline", RRF_RT_REG_SZ, nullptr, text.data(), &size);
    return text.data();
  }
  void approve(BYTE first) const {
    const std::array<BYTE, 12> value{first};
    ::RegSetKeyValueW(HKEY_CURRENT_USER, approved.c_str(), L"Faultline", REG_BINARY, value.data(), value.size());
  }
};

}  // namespace

TEST_CASE("Starting at login is a value that is set and removed") {
  const OwnKeys keys;
  CHECK_FALSE(autostartEnabled(keys));
  CHECK(disableAutostart(keys));  // nothing to remove is no failure
  REQUIRE(enableAutostart(keys, L"C:\\Program Files\\grün\\faultline.exe"));
  CHECK(autostartEnabled(keys));
  CHECK(keys.line() == L"\"C:\\Program Files\\grün\\faultline.exe\" --hidden");
  REQUIRE(enableAutostart(keys, L"C:/Program Files/grün/faultline.exe"));  // as Qt writes it
  CHECK(keys.line() == L"\"C:\\Program Files\\grün\\faultline.exe\" --hidden");
  REQUIRE(disableAutostart(keys));
  CHECK_FALSE(autostartEnabled(keys));
}

TEST_CASE("A value that Task Manager switched off counts as off until autostart is enabled again") {
  const OwnKeys keys;
  REQUIRE(enableAutostart(keys, L"C:\\faultline.exe"));
  keys.approve(3);
  CHECK_FALSE(autostartEnabled(keys));
  keys.approve(2);
  CHECK(autostartEnabled(keys));
  keys.approve(3);
  REQUIRE(enableAutostart(keys, L"C:\\faultline.exe"));
  CHECK(autostartEnabled(keys));
}
