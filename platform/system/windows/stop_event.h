// The stop event: asks a process of Faultline to end, like SIGTERM. The process creates the event; its parent sets it.
// Ctrl-Break would need a shared console, which a program with windows does not have.
#pragma once

#include <windows.h>

#include <string>

#include "platform/system/windows/unique_handle.h"

namespace faultline {

[[nodiscard]] inline std::wstring stopEventName(DWORD pid) {
  return L"Local\\faultline-stop-" + std::to_wstring(pid);
}

// The event of this process; once set, it stays set. Invalid handle: the event could not be created.
[[nodiscard]] inline UniqueHandle makeStopEvent() {
  return UniqueHandle(::CreateEventW(nullptr, TRUE, FALSE, stopEventName(::GetCurrentProcessId()).c_str()));
}

// False: the process has no stop event, or access is denied.
[[nodiscard]] inline bool askToStop(DWORD pid) {
  const UniqueHandle event(::OpenEventW(EVENT_MODIFY_STATE, FALSE, stopEventName(pid).c_str()));
  return event && ::SetEvent(event.get()) != 0;
}

}  // namespace faultline
