#include "platform/host/lab/usage.h"

#include <windows.h>
// after windows.h
#include <psapi.h>

namespace faultline {
namespace {

Nanoseconds steady() {
  LARGE_INTEGER frequency{};
  LARGE_INTEGER ticks{};
  ::QueryPerformanceFrequency(&frequency);
  ::QueryPerformanceCounter(&ticks);
  const auto seconds = ticks.QuadPart / frequency.QuadPart;
  const auto rest = ticks.QuadPart % frequency.QuadPart;
  return std::chrono::seconds(seconds) + Nanoseconds(rest * 1'000'000'000 / frequency.QuadPart);
}

}  // namespace

// Windows counts CPU time in ticks of about 15.6 ms, and involuntary switches not at all.
LabUsage processUsage() {
  PROCESS_MEMORY_COUNTERS counters{};
  ::GetProcessMemoryInfo(::GetCurrentProcess(), &counters, sizeof counters);
  return {.wall = steady(), .processor = {}, .faults = counters.PageFaultCount, .switches = {}};
}

LabUsage threadUsage() {
  return processUsage();
}

}  // namespace faultline
