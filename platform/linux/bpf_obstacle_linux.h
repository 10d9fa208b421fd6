// Obstacle: why something that takes privileges or a newer kernel does not work, and what would make it.
#pragma once

#include <string>

namespace faultline {

// Both in words for a person, without a full stop at the end of `why`; `enable` is empty if nothing would.
struct Obstacle {
  std::string why;
  std::string enable;
};

// The kernel has refused to `what` with `error` (an errno): says which capabilities are missing, if that may be why.
[[nodiscard]] Obstacle refusedByKernel(const std::string& what, int error);
[[nodiscard]] Obstacle noTracepoint(const char* name);

}  // namespace faultline
