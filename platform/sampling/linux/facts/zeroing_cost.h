// The cost of clearing memory that no cache holds, on this machine. All times are processor time of this thread. A
// round touches as much memory as the caches hold, at most 64 MiB, and measures the last 8 MiB of it: a fresh huge page
// costs nearly nothing but clearing. A round takes 3 ms with a cache of 32 MiB.
//
// Without huge pages a round measures small ones: a fault and clearing cold memory, less the same fault and clearing
// memory in the cache. The result is up to 40 % too high, as the allocator's own cold lines are in it (x86-64, 6.18).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/hello.h"

namespace faultline {

// What one round has measured, in ns per KiB.
struct ClearingRound {
  double cold = 0;    // clearing memory in no cache
  double cached = 0;  // clearing memory in one
};

// The middle of all rounds. Disturbances only make a measurement dearer, so a round keeps a low quantile of its own.
// Absent: a third of the rounds differs by more than 15 %, or no memory is as fast, or as slow.
[[nodiscard]] std::optional<ClearingRound> agreedCosts(std::span<const ClearingRound> rounds);

// All data caches of a processor together; 32 MiB where `folder` does not tell.
[[nodiscard]] std::size_t cacheBytes(const std::string& folder = "/sys/devices/system/cpu/cpu0/cache");

inline constexpr std::size_t kUnknownCache = std::size_t{32} << 20U;
inline constexpr std::size_t kMostEvicted = std::size_t{64} << 20U;

class ClearingCost {
 public:
  explicit ClearingCost(std::size_t cacheBytes = faultline::cacheBytes());

  void measureAtStart();  // enough rounds to agree
  void measure();         // one more round, in place of the oldest; an interrupted round is left out
  [[nodiscard]] std::optional<ZeroingCost> cost() const {
    const auto agreed = agreedCosts(m_rounds);
    return agreed ? std::optional(ZeroingCost{agreed->cold, agreed->cold}) : std::nullopt;
  }
  // Of ProcessMetric::ZeroingTime, where zeroed bytes are counted.
  [[nodiscard]] Quality quality() const;

 private:
  std::size_t m_evicting;
  bool m_whole;  // m_evicting is as much as the caches hold
  std::vector<ClearingRound> m_rounds;
};

}  // namespace faultline
