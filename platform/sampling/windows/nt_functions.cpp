#include "platform/sampling/windows/nt_functions.h"

#include <windows.h>

#include "platform/sampling/windows/list_counter.h"
#include "platform/sampling/windows/machine.h"
#include "platform/sampling/windows/privilege.h"
#include "platform/system/windows/cycles.h"
#include "platform/system/windows/library_function.h"

namespace faultline {
namespace {

HANDLE asHandle(std::uintptr_t value) {
  return reinterpret_cast<HANDLE>(value);
}

std::optional<std::uintptr_t> openThread(std::uint32_t thread) {
  const HANDLE handle = ::OpenThread(THREAD_QUERY_LIMITED_INFORMATION, FALSE, thread);
  if (handle == nullptr) return std::nullopt;
  return reinterpret_cast<std::uintptr_t>(handle);
}

}  // namespace

Result<NtFunctions> systemNtFunctions() {
  using Query = LONG WINAPI(std::uint32_t, void*, ULONG, ULONG*);
  using Cycles = BOOL WINAPI(HANDLE, ULONG64*);
  auto* const query = libraryFunction<Query>(L"ntdll", "NtQuerySystemInformation");
  if (query == nullptr) return fail("Processes cannot be listed: ntdll has no NtQuerySystemInformation.");
  auto* const cycles = libraryFunction<Cycles>(L"kernel32", "QueryThreadCycleTime");

  return NtFunctions{
      .query =
          [query](NtClass what, std::span<std::byte> out, std::uint32_t& length) {
            ULONG written = 0;
            const LONG status =
                query(static_cast<std::uint32_t>(what), out.data(), static_cast<ULONG>(out.size()), &written);
            length = written;
            return static_cast<std::uint32_t>(status);
          },
      .openThread = openThread,
      .threadCycles = [cycles](std::uintptr_t thread) -> std::optional<std::uint64_t> {
        ULONG64 count = 0;
        if (cycles == nullptr || cycles(asHandle(thread), &count) == 0) return std::nullopt;
        return count;
      },
      .ownCycles = ownCycles,
      .listBytes = listCounter(),
      .close = [](std::uintptr_t thread) { ::CloseHandle(asHandle(thread)); },
  };
}

NtHost systemNtHost() {
  return {.machine = readMachine(),
          .ownPid = ::GetCurrentProcessId(),
          .cyclesPerSecond = measureCyclesPerSecond(),
          .wine = wineVersion() != nullptr,
          .debugPrivilege = inEffect(kDebugPrivilege)};
}

}  // namespace faultline
