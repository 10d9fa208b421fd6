// The processes that `top` shows, in order. Makes no system call.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/monitor/monitor.h"

namespace faultline {

enum class SortBy : std::uint8_t { Minor, Major, Peak, Commit, Resident, FaultTime, Zeroed, Name };
inline constexpr int kSortByCount = 8;

[[nodiscard]] std::string_view sortName(SortBy sort);  // as on the command line: "minor"

// Rows of `moment` whose name contains `filter`, or whose pid begins with it: largest value first, names from a to z.
// Equal rows are ordered by peak, then resident memory, then key, so that a quiet table does not move.
[[nodiscard]] std::vector<const ProcessRow*> orderedRows(const Monitor& monitor, const Moment& moment, SortBy sort,
                                                         std::string_view filter);

}  // namespace faultline
