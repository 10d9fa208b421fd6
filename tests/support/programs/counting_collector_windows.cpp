// counting_collector: the shipped collector, where every process has ten page faults in each millisecond: Wine counts
// none. The count wraps after 0.4 s, as that of Windows may at any time.
#include <cstdint>
#include <optional>

#include "platform/sampling/windows/watch/fault_count.h"

namespace faultline {

std::optional<std::uint32_t> faultCount(HANDLE /*process*/) {
  LARGE_INTEGER frequency{};
  LARGE_INTEGER now{};
  ::QueryPerformanceFrequency(&frequency);
  ::QueryPerformanceCounter(&now);
  constexpr std::uint64_t kPerSecond = 10'000;
  constexpr std::uint64_t kBegin = 0xFFFFF000;
  const auto second = static_cast<std::uint64_t>(frequency.QuadPart);
  const auto ticks = static_cast<std::uint64_t>(now.QuadPart);
  static const std::uint64_t begun = ticks;
  return static_cast<std::uint32_t>(kBegin + (ticks - begun) * kPerSecond / second);
}

}  // namespace faultline
