#include "platform/host/lab/usage.h"

#include <windows.h>
// after windows.h
#include <psapi.h>

#include "platform/system/windows/file_time.h"

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

std::optional<ProcessorsUsage> processorsUsage() {
  FILETIME idle{}, kernel{}, user{}, created{}, ended{}, ownKernel{}, ownUser{};
  if (::GetSystemTimes(&idle, &kernel, &user) == 0 ||
      ::GetProcessTimes(::GetCurrentProcess(), &created, &ended, &ownKernel, &ownUser) == 0)
    return std::nullopt;
  return ProcessorsUsage{.all = durationOf(kernel) + durationOf(user),  // the kernel's time has the idle time
                         .idle = durationOf(idle),
                         .own = durationOf(ownKernel) + durationOf(ownUser)};
}

}  // namespace faultline
