// The conditions that the cost of a page fault depends on.
#pragma once

#include <optional>
#include <string>

namespace faultline {

// Of the system: "large pages madvise, governor performance".
[[nodiscard]] std::string costSettings();
// The malloc of programs that bring none: "glibc 2.36"; empty: unknown.
[[nodiscard]] std::string systemAllocator();
// Why memory is dearer on this machine than on others, by a setting of the whole machine, as a sentence; empty: it is
// not.
[[nodiscard]] std::string costWarning();
// Processes that run or want to, mean of the last minute; absent: not counted.
[[nodiscard]] std::optional<double> machineLoad();

}  // namespace faultline
