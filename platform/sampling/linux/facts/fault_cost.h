// What a minor fault costs on this machine now: the first touch of a small page, from the store to the page being
// there, clearing it included. Takes a few milliseconds.
#pragma once

#include <optional>

namespace faultline {

// Nanoseconds; absent if there is no memory to try it on.
[[nodiscard]] std::optional<double> measureFaultCost();

}  // namespace faultline
