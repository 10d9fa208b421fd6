// Counters in closed form: the number of faults of a process `t` after its start. Integer or monotone arithmetic, so
// that both ends of a stream compute the same number.
#pragma once

#include <cstdint>

#include "core/base/units.h"

namespace faultline {

// floor(perSecond * t)
[[nodiscard]] std::uint64_t steadyCount(std::uint64_t perSecond, Nanoseconds t);

// The rate is a sine between `low` (above 0) and `high`, starting at `low`.
[[nodiscard]] std::uint64_t sineCount(std::uint64_t low, std::uint64_t high, Nanoseconds period, Nanoseconds t);

// The rate is `low` for the first half of each period and `high` for the second.
[[nodiscard]] std::uint64_t stepCount(std::uint64_t low, std::uint64_t high, Nanoseconds period, Nanoseconds t);

// `amount` faults evenly within the first `length` of each period, none after.
[[nodiscard]] std::uint64_t burstCount(std::uint64_t amount, Nanoseconds length, Nanoseconds period, Nanoseconds t);

}  // namespace faultline
