// The cost of clearing memory that no cache holds, on this machine. All times are processor time of this thread. A
// round clears one huge page again and again, each time written past the caches before: nearly all the cost of a fresh
// huge page is clearing. A round takes 0.7 ms (EPYC, 6.18).
//
// Without huge pages a round measures small pages: a fault and clearing cold memory, minus the same fault and clearing
// memory in the cache. The result is up to 40 % too high, because it includes the allocator's cold lines
// (x86-64, 6.18).
#pragma once

#include "core/model/hello.h"
#include "platform/sampling/linux/facts/clearing_rounds.h"
#include "platform/system/posix/unique_fd.h"

namespace faultline {

class ClearingCost {
 public:
  ClearingCost();

  // The rounds that are due: some at the start, later seldom one. True if this gave the first cost.
  bool measure(MonotonicTime now);
  [[nodiscard]] std::optional<ZeroingCost> cost() const {
    const auto known = m_rounds.cost();
    return known ? std::optional(ZeroingCost{known->low.cold, known->low.cold}) : std::nullopt;
  }
  // Of ProcessMetric::ZeroingTime, if zeroed bytes are counted.
  [[nodiscard]] Quality quality() const;

 private:
  double m_processors;  // online
  UniqueFd m_loadavg;   // of /proc, open because measure() is also called after the lockdown
  ClearingRounds m_rounds;
};

}  // namespace faultline
