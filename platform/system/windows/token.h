// The rights of this program, and the users of processes.
#pragma once

#include <windows.h>
// after windows.h
#include <sddl.h>

#include <array>
#include <cstddef>
#include <memory>
#include <string>

#include "platform/system/windows/unique_handle.h"

namespace faultline {

struct FreeLocal {
  void operator()(void* memory) const { ::LocalFree(memory); }
};

// The SID of the user of a process, "S-1-5-21-..."; empty: unknown.
[[nodiscard]] inline std::wstring userOf(HANDLE process) {
  HANDLE opened = nullptr;
  if (::OpenProcessToken(process, TOKEN_QUERY, &opened) == 0) return {};
  const UniqueHandle token(opened);
  alignas(TOKEN_USER) std::array<std::byte, sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE> user{};
  auto size = static_cast<DWORD>(user.size());
  LPWSTR text = nullptr;
  if (::GetTokenInformation(token.get(), TokenUser, user.data(), size, &size) == 0 ||
      ::ConvertSidToStringSidW(reinterpret_cast<const TOKEN_USER*>(user.data())->User.Sid, &text) == 0)
    return {};
  const std::unique_ptr<wchar_t, FreeLocal> owned(text);
  return text;
}

// The token has the rights of an administrator in effect. `token`: a handle with TOKEN_QUERY.
[[nodiscard]] inline bool isElevated(HANDLE token) {
  TOKEN_ELEVATION elevation{};
  DWORD size = sizeof elevation;
  return ::GetTokenInformation(token, TokenElevation, &elevation, size, &size) != 0 && elevation.TokenIsElevated != 0;
}

}  // namespace faultline
