// How a program of ours is asked to end, as SIGTERM does elsewhere: an event that it makes and whoever started it sets.
// A console's Ctrl-Break would need a console that both share, and a program with windows has none.
#pragma once

#include <windows.h>

#include <string>

#include "platform/system/windows/unique_handle.h"

namespace faultline {

[[nodiscard]] inline std::wstring stopEventName(DWORD pid) {
  return L"Local\\faultline-stop-" + std::to_wstring(pid);
}

// To be waited for in this program; it stays set. Not valid: nobody can ask.
[[nodiscard]] inline UniqueHandle makeStopEvent() {
  return UniqueHandle(::CreateEventW(nullptr, TRUE, FALSE, stopEventName(::GetCurrentProcessId()).c_str()));
}

// False: that program does not listen, or is not ours to ask.
[[nodiscard]] inline bool askToStop(DWORD pid) {
  const UniqueHandle event(::OpenEventW(EVENT_MODIFY_STATE, FALSE, stopEventName(pid).c_str()));
  return event && ::SetEvent(event.get()) != 0;
}

}  // namespace faultline
