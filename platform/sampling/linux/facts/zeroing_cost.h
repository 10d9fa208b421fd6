// The cost of clearing memory that no cache holds, on this machine. All times are processor time of this thread. A
// round touches as much memory as the caches hold, at most 64 MiB, and measures its last 8 MiB: nearly all the cost of
// a fresh huge page is clearing. A round takes 3 ms with a cache of 32 MiB.
//
// Without huge pages a round measures small pages: a fault and clearing cold memory, minus the same fault and clearing
// memory in the cache. The result is up to 40 % too high, because it includes the allocator's cold lines
// (x86-64, 6.18).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/model/hello.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

// The result of one round, in ns per KiB.
struct ClearingRound {
  double cold = 0;    // clearing memory in no cache
  double cached = 0;  // clearing memory in a cache
  double others = 0;  // threads of others that ran or waited for a processor when the round began, per processor
};

// The median of all rounds. Disturbances only raise a measurement, so each round takes a low quantile of its own.
// Absent if a third of the rounds differs by more than 15 %, or if no memory is this fast or slow. Absent too if others
// kept more than three quarters of the processors busy: that makes all rounds dearer alike.
[[nodiscard]] std::optional<ClearingRound> agreedCosts(std::span<const ClearingRound> rounds);

// Sum of a processor's data caches; 32 MiB if `folder` does not say.
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
  // Of ProcessMetric::ZeroingTime, if zeroed bytes are counted.
  [[nodiscard]] Quality quality() const;

 private:
  std::size_t m_evicting;
  bool m_whole;         // m_evicting covers all caches
  double m_processors;  // online
  UniqueFd m_loadavg;   // of /proc, open because measure() is also called after the lockdown
  std::vector<ClearingRound> m_rounds;
};

}  // namespace faultline
