// counting_collector: the shipped collector, where every process has ten page faults in each millisecond: Wine counts
// none. The count wraps after 0.4 s, as that of Windows may at any time. With the variable FAULTLINE_FAKE_BURSTS 3000
// more come at once in each half of a second. Each single fault is of GetTickCount64 in kernel32.dll, which lies at one
// address in all processes.
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>

#include "platform/sampling/windows/watch/fault_count.h"
#include "platform/sampling/windows/watch/fault_functions.h"

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
  static const std::uint64_t burst = std::getenv("FAULTLINE_FAKE_BURSTS") != nullptr ? 3000 : 0;
  const std::uint64_t bursts = burst * ((ticks - begun) * 2 / second);
  return static_cast<std::uint32_t>(kBegin + (ticks - begun) * kPerSecond / second + bursts);
}

FaultFunctions faultFunctions(UniqueHandle /*process*/) {
  const auto code =
      reinterpret_cast<std::uintptr_t>(::GetProcAddress(::GetModuleHandleW(L"kernel32.dll"), "GetTickCount64"));
  return {.begin = [] { return kWinSuccess; },
          .read = [code, told = *faultCount(nullptr)](std::span<std::byte> out) mutable -> std::uint32_t {
            const std::uint32_t noted = *faultCount(nullptr) - told;
            if (noted == 0) return kWinNoMoreItems;
            if (out.size() < (std::size_t{noted} + 1) * kNtFaultBytes) return kWinBufferTooSmall;
            std::ranges::fill(out, std::byte{0});
            for (std::uint32_t i = 0; i < noted; ++i) {
              const std::uint64_t record[]{code, 0x10000 + (std::uint64_t{i} << 12U), 1, 0};
              std::memcpy(out.data() + i * kNtFaultBytes, record, sizeof record);
            }
            told += noted;
            return kWinSuccess;
          },
          .count = [] { return faultCount(nullptr); },
          .reason = [](std::uint32_t) { return std::string("none"); }};
}

}  // namespace faultline
