// Starts a program that inherits its three standard streams and no other handle.
#pragma once

#include <windows.h>

#include <array>
#include <string>

#include "core/base/result.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

struct Spawned {
  UniqueHandle process;
  DWORD pid = 0;
};

// `streams`: standard input, output and error, as inheritable handles. Error: the system's reason.
[[nodiscard]] Result<Spawned> spawn(const std::wstring& program, std::wstring line,
                                    const std::array<UniqueHandle, 3>& streams, bool ownGroup);

// An inheritable copy of a standard stream of this process (STD_*_HANDLE); if that is closed, emptyStream().
[[nodiscard]] UniqueHandle inheritedStream(DWORD which);
// NUL, inheritable.
[[nodiscard]] UniqueHandle emptyStream();

}  // namespace faultline
