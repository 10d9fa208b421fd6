// The present threads of a process.
#pragma once

#include <cstdint>
#include <vector>

namespace faultline {

// Sorted ids; `process` is the process's folder in /proc. Empty if the process has ended, or cannot be read.
[[nodiscard]] std::vector<std::uint32_t> threadsOf(int process);

}  // namespace faultline
