// The times that Windows tells as FILETIME.
#pragma once

#include <windows.h>

#include <cstdint>

#include "core/base/units.h"
#include "core/parse/nt/time.h"

namespace faultline {

[[nodiscard]] inline std::uint64_t unitsOf(const FILETIME& time) {  // of 100 ns
  return (static_cast<std::uint64_t>(time.dwHighDateTime) << 32U) | time.dwLowDateTime;
}

[[nodiscard]] inline Nanoseconds durationOf(const FILETIME& time) {
  return Nanoseconds(static_cast<std::int64_t>(unitsOf(time) * kNtTimeNs));
}

}  // namespace faultline
