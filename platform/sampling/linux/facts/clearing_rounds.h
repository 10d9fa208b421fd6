// ClearingRounds: when to measure the cost of clearing memory, and the cost that the measurements agree on. Pure: the
// caller tells the time, how busy others are, and what a round took.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <vector>

#include "core/base/units.h"

namespace faultline {

// One round's result, in ns per KiB.
struct ClearingRound {
  double cold = 0;    // clearing memory in no cache
  double cached = 0;  // clearing memory in a cache
};

// Disturbances only make a round dearer, so the cost is a low one of the rounds kept; `spread` tells how the middle one
// differs. Rounds under load are all dearer alike: none is measured then, and an older cost stays valid.
//
// Measuring disturbs others, so it takes processor time from an allowance, which grows by half a millisecond a minute.
// A round that takes long therefore widens the pause after it, and so does a round that fails.
class ClearingRounds {
 public:
  struct Cost {
    ClearingRound low{};
    double spread = 0;  // share by which the middle round is dearer
  };

  // Whether to measure a round now. `others`: threads of others that run or wait for a processor, per processor.
  [[nodiscard]] bool begin(MonotonicTime now, double others);
  // The time to ask for `others`: begin() would refuse before.
  [[nodiscard]] bool due(MonotonicTime now);
  // The round that begin() allowed, and its processor time. Absent: it was interrupted, or there is no memory.
  void add(MonotonicTime now, const std::optional<ClearingRound>& round, Nanoseconds took);

  // Absent: no round could be measured yet, or no memory is this fast or slow.
  [[nodiscard]] std::optional<Cost> cost() const;

 private:
  std::vector<ClearingRound> m_rounds;  // oldest first
  Nanoseconds m_allowance = kAtStart;
  std::optional<MonotonicTime> m_grown;  // when m_allowance was computed
  MonotonicTime m_next;
  Nanoseconds m_retry = kRetry;

  static constexpr Nanoseconds kAtStart = std::chrono::milliseconds(3);
  static constexpr Nanoseconds kRetry = std::chrono::seconds(5);
};

}  // namespace faultline
