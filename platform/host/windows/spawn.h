// Starting a program with three standard streams and no other handle of ours.
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

// `streams` are its input, output and errors, and can be inherited. Error: the system's reason.
[[nodiscard]] Result<Spawned> spawn(const std::wstring& program, std::wstring line,
                                    const std::array<UniqueHandle, 3>& streams, bool ownGroup);

// A copy that can be inherited of one of our own standard streams; where it was closed, of the empty one.
[[nodiscard]] UniqueHandle inheritedStream(DWORD which);
// What gives nothing and takes everything.
[[nodiscard]] UniqueHandle emptyStream();

}  // namespace faultline
