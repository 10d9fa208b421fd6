// NtFunctions: the system calls of the Windows sampler, over plain integers, so that the sampler runs on any system.
// windows/nt_functions.cpp provides the real functions, tests scripted ones. All functions must be set.
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
  // NtQuerySystemInformation: returns the NTSTATUS. Sets `length` to the bytes written or needed; 0 if not known.
  std::function<std::uint32_t(NtClass what, std::span<std::byte> out, std::uint32_t& length)> query;
  // OpenThread with THREAD_QUERY_LIMITED_INFORMATION: a handle; absent if it fails.
  std::function<std::optional<std::uintptr_t>(std::uint32_t thread)> openThread;
  // QueryThreadCycleTime; absent if it fails.
  std::function<std::optional<std::uint64_t>(std::uintptr_t thread)> threadCycles;
  // QueryProcessCycleTime of this process; absent if it fails.
  std::function<std::optional<std::uint64_t>()> ownCycles;
  // The counter "\Memory\Free & Zero Page List Bytes" of PDH, in bytes; absent if it fails.
  std::function<std::optional<std::uint64_t>()> listBytes;
  // CloseHandle.
  std::function<void(std::uintptr_t thread)> close;
};

// The machine of the functions above.
struct NtHost {
  Machine machine;
  std::uint32_t ownPid = 0;
  std::uint64_t cyclesPerSecond = 0;  // of QueryThreadCycleTime, measured; 0: not known
  bool wine = false;                  // ntdll exports wine_get_version
  bool debugPrivilege = false;        // SeDebugPrivilege is in effect
};

}  // namespace faultline
