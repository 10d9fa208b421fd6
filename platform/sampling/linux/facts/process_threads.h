// The threads that a process has just now.
#pragma once

#include <cstdint>
#include <vector>

namespace faultline {

// Their ids, sorted; `process` is its folder in /proc. Empty: it is gone, or lets nobody look.
[[nodiscard]] std::vector<std::uint32_t> threadsOf(int process);

}  // namespace faultline
