// Processor cycles of this program, which Windows counts at every switch of threads; its times have ticks of 15.6 ms.
#pragma once

#include <windows.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include "platform/system/windows/library_function.h"

namespace faultline {

// Of all threads. Absent: Windows refuses, or Wine, which counts none.
[[nodiscard]] inline std::optional<std::uint64_t> ownCycles() {
  using Query = BOOL WINAPI(HANDLE, ULONG64*);
  static auto* const query = libraryFunction<Query>(L"kernel32", "QueryProcessCycleTime");
  ULONG64 cycles = 0;
  if (query == nullptr || query(::GetCurrentProcess(), &cycles) == 0) return std::nullopt;
  return cycles;
}

// Cycles counted in a second of running; 0: they are not counted. Runs for 5 ms. The fastest of five loops counts,
// because another program may interrupt the others.
[[nodiscard]] inline std::uint64_t measureCyclesPerSecond() {
  using Query = BOOL WINAPI(HANDLE, ULONG64*);
  constexpr LONGLONG kLoopsPerSecond = 1000;
  auto* const query = libraryFunction<Query>(L"kernel32", "QueryThreadCycleTime");
  LARGE_INTEGER frequency{};
  ::QueryPerformanceFrequency(&frequency);
  double fastest = 0;
  for (int loop = 0; loop < 5; ++loop) {
    LARGE_INTEGER begin{};
    LARGE_INTEGER now{};
    ULONG64 before = 0;
    ULONG64 after = 0;
    ::QueryPerformanceCounter(&begin);
    if (query == nullptr || query(::GetCurrentThread(), &before) == 0) return 0;
    do ::QueryPerformanceCounter(&now);
    while (now.QuadPart - begin.QuadPart < frequency.QuadPart / kLoopsPerSecond);
    query(::GetCurrentThread(), &after);
    ::QueryPerformanceCounter(&now);
    const double seconds = static_cast<double>(now.QuadPart - begin.QuadPart) / static_cast<double>(frequency.QuadPart);
    fastest = std::max(fastest, static_cast<double>(after - before) / seconds);
  }
  return static_cast<std::uint64_t>(fastest);
}

}  // namespace faultline
