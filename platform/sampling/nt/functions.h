// NtFunctions: all that the Windows backend asks of the system, over plain integers, so that it runs anywhere.
// windows/nt_functions.cpp finds them by name; tests bring a Windows of their own. Every function must be there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

#include "core/model/hello.h"

namespace faultline {

// NTSTATUS, [MS-ERREF] 2.3.1.
inline constexpr std::uint32_t kNtSuccess = 0;
inline constexpr std::uint32_t kNtLengthMismatch = 0xC0000004;

// SYSTEM_INFORMATION_CLASS.
enum class NtClass : std::uint32_t { Performance = 2, TimeOfDay = 3, Processes = 5, MemoryLists = 80 };

struct NtFunctions {
  // NtQuerySystemInformation: its NTSTATUS. `length` becomes what it wrote, or would have written; 0 if it does not
  // say.
  std::function<std::uint32_t(NtClass what, std::span<std::byte> out, std::uint32_t& length)> query;
  // OpenThread with THREAD_QUERY_LIMITED_INFORMATION: a handle, nothing if it is refused.
  std::function<std::optional<std::uintptr_t>(std::uint32_t thread)> openThread;
  // QueryThreadCycleTime; nothing if it fails.
  std::function<std::optional<std::uint64_t>(std::uintptr_t thread)> threadCycles;
  // CloseHandle.
  std::function<void(std::uintptr_t thread)> close;
};

// Where the functions above were found.
struct NtHost {
  Machine machine;
  std::uint32_t ownPid = 0;
  bool wine = false;            // ntdll exports wine_get_version
  bool debugPrivilege = false;  // SeDebugPrivilege is in effect
};

}  // namespace faultline
