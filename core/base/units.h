// Units as types. Times are in nanoseconds; the type names the clock.
#pragma once

#include <chrono>
#include <compare>
#include <cstdint>

namespace faultline {

using Nanoseconds = std::chrono::nanoseconds;

[[nodiscard]] constexpr double inNs(Nanoseconds duration) {
  return static_cast<double>(duration.count());
}

// Time on the collector's steady clock (Hello::clock; CLOCK_MONOTONIC on Linux, QueryPerformanceCounter on Windows).
struct MonotonicTime {
  Nanoseconds sinceEpoch{0};

  auto operator<=>(const MonotonicTime&) const = default;
  friend Nanoseconds operator-(MonotonicTime a, MonotonicTime b) { return a.sinceEpoch - b.sinceEpoch; }
  friend MonotonicTime operator+(MonotonicTime a, Nanoseconds d) { return {a.sinceEpoch + d}; }
  friend MonotonicTime operator-(MonotonicTime a, Nanoseconds d) { return {a.sinceEpoch - d}; }
};

// Wall-clock time since 1970-01-01 UTC. The clock jumps when set: never compute a duration from two of these.
struct WallTime {
  Nanoseconds sinceEpoch{0};

  auto operator<=>(const WallTime&) const = default;
};

}  // namespace faultline
