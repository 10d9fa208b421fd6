// Counters in closed form: how many faults a process has made `t` after it began, for rates that are easy to see in a
// plot. Pure integer or monotone arithmetic, so that both ends of a stream come to the same number.
#pragma once

#include <cstdint>

#include "core/base/units.h"

namespace faultline {

// floor(perSecond * t)
[[nodiscard]] std::uint64_t steadyCount(std::uint64_t perSecond, Nanoseconds t);

// The rate swings between `low` and `high` (a sine; `low` above 0), beginning at `low`.
[[nodiscard]] std::uint64_t sineCount(std::uint64_t low, std::uint64_t high, Nanoseconds period, Nanoseconds t);

// The rate is `low` for the first half of each period and `high` for the second.
[[nodiscard]] std::uint64_t stepCount(std::uint64_t low, std::uint64_t high, Nanoseconds period, Nanoseconds t);

// `amount` evenly within the first `length` of each period, nothing after.
[[nodiscard]] std::uint64_t burstCount(std::uint64_t amount, Nanoseconds length, Nanoseconds period, Nanoseconds t);

}  // namespace faultline
