#include "platform/sampling/windows/machine.h"

#include <windows.h>

#include <array>

#include "platform/system/windows/library_function.h"
#include "platform/system/windows/system_text.h"

namespace faultline {
namespace {

constexpr DWORD kFirstBuildOf11 = 22'000;

// RtlGetVersion, because GetVersionEx reports an older version to programs without a matching manifest.
RTL_OSVERSIONINFOW trueVersion() {
  using GetVersion = LONG WINAPI(RTL_OSVERSIONINFOW*);
  RTL_OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof(version);
  if (auto* const get = libraryFunction<GetVersion>(L"ntdll", "RtlGetVersion")) get(&version);
  return version;
}

std::string systemName() {
  const RTL_OSVERSIONINFOW version = trueVersion();
  const std::string numbers = std::to_string(version.dwMajorVersion) + "." + std::to_string(version.dwMinorVersion) +
                              "." + std::to_string(version.dwBuildNumber);
  if (const char* const wine = wineVersion()) return std::string("Wine ") + wine + ", as Windows " + numbers;
  if (version.dwMajorVersion < 10) return "Windows, NT " + numbers;
  return std::string(version.dwBuildNumber < kFirstBuildOf11 ? "Windows 10" : "Windows 11") + ", NT " + numbers;
}

std::string processorName() {
  std::array<wchar_t, 256> name{};
  DWORD bytes = sizeof(name);
  const LSTATUS status = ::RegGetValueW(HKEY_LOCAL_MACHINE, L"HARDWARE\\DESCRIPTION\\System\\CentralProcessor\\0",
                                        L"ProcessorNameString", RRF_RT_REG_SZ, nullptr, name.data(), &bytes);
  if (status != ERROR_SUCCESS) return {};
  std::string text = toUtf8(name.data());
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

const char* wineVersion() {
  using GetVersion = const char* CDECL();
  auto* const get = libraryFunction<GetVersion>(L"ntdll", "wine_get_version");
  return get != nullptr ? get() : nullptr;
}

Machine readMachine() {
  SYSTEM_INFO system{};
  ::GetSystemInfo(&system);
  MEMORYSTATUSEX memory{};
  memory.dwLength = sizeof(memory);
  ::GlobalMemoryStatusEx(&memory);
  return {.system = systemName(),
          .processor = processorName(),
          .processors = ::GetActiveProcessorCount(ALL_PROCESSOR_GROUPS),
          .memoryBytes = memory.ullTotalPhys,
          .pageBytes = system.dwPageSize};
}

}  // namespace faultline
