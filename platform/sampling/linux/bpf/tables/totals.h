// The counts of ProcessTotals, for sums of them and differences.
#pragma once

#include <span>

#include "platform/sampling/records/sweep_records.h"

namespace faultline {

using TotalCounts = std::span<unsigned long long, kTotals>;

[[nodiscard]] inline TotalCounts totalCountsOf(ProcessTotals& totals) {
  return TotalCounts(reinterpret_cast<unsigned long long*>(&totals), kTotals);
}

}  // namespace faultline
