// System-wide values of NtQuerySystemInformation (64-bit Windows): SYSTEM_PERFORMANCE_INFORMATION,
// SYSTEM_MEMORY_LIST_INFORMATION, SYSTEM_TIMEOFDAY_INFORMATION. Pure. Absent if there are too few bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace faultline {

// All values but the first three are 32-bit counters, which wrap.
struct NtPerformance {
  std::uint32_t availablePages = 0;
  std::uint32_t committedPages = 0;
  std::uint32_t commitLimitPages = 0;
  std::uint32_t faults = 0;
  std::uint32_t copyOnWrite = 0;
  std::uint32_t transitions = 0;
  std::uint32_t demandZero = 0;
  std::uint32_t pageReads = 0;  // disk reads for hard faults, each of one or more pages

  bool operator==(const NtPerformance&) const = default;
};
[[nodiscard]] std::optional<NtPerformance> parseNtPerformance(std::span<const std::byte> bytes);

struct NtMemoryLists {
  std::uint64_t zeroedPages = 0;
  std::uint64_t freePages = 0;

  bool operator==(const NtMemoryLists&) const = default;
};
[[nodiscard]] std::optional<NtMemoryLists> parseNtMemoryLists(std::span<const std::byte> bytes);

// The time of boot, in units of 100 ns since 1601 UTC. Setting the clock changes it.
[[nodiscard]] std::optional<std::uint64_t> parseNtBootTime(std::span<const std::byte> bytes);

}  // namespace faultline
