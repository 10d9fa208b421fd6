// Measures a minor fault on this machine: the first touch of a small page, including clearing it, in processor
// time. Takes a few milliseconds.
#pragma once

#include <optional>

namespace faultline {

// Nanoseconds; absent if there is no memory to measure with.
[[nodiscard]] std::optional<double> measureFaultCost();

}  // namespace faultline
