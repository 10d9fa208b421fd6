// Whether a process uses resources/faultline_frame.h: by the name of the memory in which it notes its frames.
#pragma once

#include <windows.h>

#include <cstdint>
#include <string>

#include "platform/system/windows/unique_handle.h"

namespace faultline {

[[nodiscard]] inline bool holdsFrameMarks(std::uint32_t pid) {
  const std::wstring name = L"Local\\faultline-frames-" + std::to_wstring(pid);
  return static_cast<bool>(UniqueHandle(::OpenFileMappingW(FILE_MAP_READ, FALSE, name.c_str())));
}

}  // namespace faultline
