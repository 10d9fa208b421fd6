// Units as types. Every time in Faultline is a count of nanoseconds on a clock that its name tells.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace faultline {

using Nanoseconds = std::chrono::nanoseconds;

// Time on the collector's steady clock (Hello::clock; CLOCK_MONOTONIC on Linux, QueryPerformanceCounter on Windows).
struct MonotonicTime {
  Nanoseconds sinceEpoch{0};

  auto operator<=>(const MonotonicTime&) const = default;
  friend Nanoseconds operator-(MonotonicTime a, MonotonicTime b) { return a.sinceEpoch - b.sinceEpoch; }
  friend MonotonicTime operator+(MonotonicTime a, Nanoseconds d) { return {a.sinceEpoch + d}; }
  friend MonotonicTime operator-(MonotonicTime a, Nanoseconds d) { return {a.sinceEpoch - d}; }
};

// Time since 1970-01-01 UTC; may jump when the user or NTP sets the clock, so no number is ever derived from its
// differences.
struct WallTime {
  Nanoseconds sinceEpoch{0};

  auto operator<=>(const WallTime&) const = default;
};

}  // namespace faultline
