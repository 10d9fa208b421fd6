// /proc/vmstat: system-wide fault and page counters since boot. Pure. A counter that the kernel lacks, or that lies
// after a cut, is absent.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace faultline {

struct VmStat {
  std::optional<std::uint64_t> faults;          // pgfault
  std::optional<std::uint64_t> majorFaults;     // pgmajfault
  std::optional<std::uint64_t> pagesAllocated;  // sum of pgalloc_*, one per zone
  std::optional<std::uint64_t> pagesFreed;      // pgfree
  std::optional<std::uint64_t> thpFaultsAllocated;
  std::optional<std::uint64_t> thpFaultsFallback;

  bool operator==(const VmStat&) const = default;
};

[[nodiscard]] VmStat parseVmStat(std::string_view text);

}  // namespace faultline
