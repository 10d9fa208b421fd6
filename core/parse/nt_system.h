// What NtQuerySystemInformation tells of the whole machine (64-bit Windows): SYSTEM_PERFORMANCE_INFORMATION,
// SYSTEM_MEMORY_LIST_INFORMATION, SYSTEM_TIMEOFDAY_INFORMATION. Pure; nothing where the bytes are too few.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace faultline {

// All counts but the first three are counters of 32 bits.
struct NtPerformance {
  std::uint32_t availablePages = 0;
  std::uint32_t committedPages = 0;
  std::uint32_t commitLimitPages = 0;
  std::uint32_t faults = 0;
  std::uint32_t copyOnWrite = 0;
  std::uint32_t transitions = 0;
  std::uint32_t demandZero = 0;
  std::uint32_t pageReads = 0;  // reads of the disk for hard faults, of one page or more

  bool operator==(const NtPerformance&) const = default;
};
[[nodiscard]] std::optional<NtPerformance> parseNtPerformance(std::span<const std::byte> bytes);

struct NtMemoryLists {
  std::uint64_t zeroedPages = 0;
  std::uint64_t freePages = 0;

  bool operator==(const NtMemoryLists&) const = default;
};
[[nodiscard]] std::optional<NtMemoryLists> parseNtMemoryLists(std::span<const std::byte> bytes);

// When the machine was booted, in 100 ns since 1601 UTC; moves when somebody sets the clock.
[[nodiscard]] std::optional<std::uint64_t> parseNtBootTime(std::span<const std::byte> bytes);

}  // namespace faultline
