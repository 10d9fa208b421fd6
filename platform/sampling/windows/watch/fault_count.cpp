#include "platform/sampling/windows/watch/fault_count.h"

// after windows.h
#include <psapi.h>

namespace faultline {

std::optional<std::uint32_t> faultCount(HANDLE process) {
  PROCESS_MEMORY_COUNTERS counters{};
  if (::K32GetProcessMemoryInfo(process, &counters, sizeof counters) == 0) return std::nullopt;
  return counters.PageFaultCount;
}

}  // namespace faultline
