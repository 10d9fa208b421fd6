#include "platform/sampling/windows/watch/fault_functions.h"

#include <windows.h>

#include <memory>
#include <utility>
// after windows.h
#include <psapi.h>

#include "platform/sampling/windows/watch/fault_count.h"
#include "platform/system/windows/library_function.h"
#include "platform/system/windows/system_text.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

FaultFunctions faultFunctions(UniqueHandle handle) {
  using Read = BOOL WINAPI(HANDLE, PSAPI_WS_WATCH_INFORMATION_EX*, DWORD*);  // mingw's header has the size by value
  auto* const read = libraryFunction<Read>(L"kernel32", "K32GetWsChangesEx");
  const auto process = std::make_shared<UniqueHandle>(std::move(handle));
  return {.begin = [process]() -> std::uint32_t {
            return ::K32InitializeProcessForWsWatch(process->get()) != 0 ? kWinSuccess : ::GetLastError();
          },
          .read = [process, read](std::span<std::byte> out) -> std::uint32_t {
            if (read == nullptr) return ERROR_CALL_NOT_IMPLEMENTED;
            auto size = static_cast<DWORD>(out.size());
            auto* const records = reinterpret_cast<PSAPI_WS_WATCH_INFORMATION_EX*>(out.data());
            return read(process->get(), records, &size) != 0 ? kWinSuccess : ::GetLastError();
          },
          .count = [process] { return faultCount(process->get()); },
          .reason = [](std::uint32_t error) { return reasonOf(error); }};
}

}  // namespace faultline
