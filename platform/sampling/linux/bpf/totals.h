// The counts of ProcessTotals, each by its place: for sums of them and differences.
#pragma once

#include <array>

#include "platform/sampling/records/sweep_records.h"

namespace faultline {

using TotalCounts = std::array<unsigned long long*, 9>;
static_assert(sizeof(ProcessTotals) == std::tuple_size_v<TotalCounts> * sizeof(unsigned long long));

[[nodiscard]] inline TotalCounts totalCountsOf(ProcessTotals& totals) {
  return {&totals.zeroedPages,       &totals.zeroedLargePages, &totals.faultTime,
          &totals.majorFaultTime,    &totals.timedFaults,      &totals.timedMajorFaults,
          &totals.parts.onProcessor, &totals.parts.waiting,    &totals.parts.blocked};
}

}  // namespace faultline
