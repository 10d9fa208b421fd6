// The processes that `top` shows, in order. Makes no system call.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/monitor/monitor.h"

namespace faultline {

// By the column of a metric whose row in the field table names a sorting, by the highest rate, or by name.
struct SortBy {
  enum class Column : std::uint8_t { Metric, Peak, Name };

  Column column = Column::Metric;
  ProcessMetric metric = ProcessMetric::MinorFaults;  // its rate if the row has a column of that, else its level

  bool operator==(const SortBy&) const = default;
};

[[nodiscard]] const std::vector<SortBy>& sortings();   // in the order of the columns, by name last
[[nodiscard]] std::string_view sortName(SortBy sort);  // as on the command line: "minor"

// Rows of `moment` whose name contains `filter`, or whose pid begins with it: largest value first, names from a to z.
// Equal rows are ordered by peak, then resident memory, then key, so that a quiet table does not move.
[[nodiscard]] std::vector<const ProcessRow*> orderedRows(const Monitor& monitor, const Moment& moment, SortBy sort,
                                                         std::string_view filter);

}  // namespace faultline
