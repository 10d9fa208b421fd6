// The conditions that the cost of a page fault depends on.
#pragma once

#include <optional>
#include <string>

namespace faultline {

// Of the system: "large pages madvise, governor performance".
[[nodiscard]] std::string costSettings();
// Processes that run or want to, mean of the last minute; absent: not counted.
[[nodiscard]] std::optional<double> machineLoad();

}  // namespace faultline
