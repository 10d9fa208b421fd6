#include "platform/host/lab/isolation.h"

#include <windows.h>

namespace faultline {
namespace {

void CALLBACK endNow(void* /*unused*/, BOOLEAN /*timedOut*/) {
  ::ExitProcess(1);
}

}  // namespace

void endWithParent(std::uint32_t parent) {
  const HANDLE process = ::OpenProcess(SYNCHRONIZE, FALSE, parent);  // open as long as this process lives
  if (process == nullptr) ::ExitProcess(1);
  HANDLE wait = nullptr;
  ::RegisterWaitForSingleObject(&wait, process, endNow, nullptr, INFINITE, WT_EXECUTEONLYONCE);
}

void nameThread(const char* /*name*/) {}

void sleepFor(Nanoseconds duration) {
  ::Sleep(static_cast<DWORD>(std::chrono::duration_cast<std::chrono::milliseconds>(duration).count()));
}

}  // namespace faultline
