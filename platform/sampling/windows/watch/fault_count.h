// The page faults of a process, minor and major together: the only count that Windows gives for one process alone.
#pragma once

#include <windows.h>

#include <cstdint>
#include <optional>

namespace faultline {

// Since the process began, modulo 2^32. `process`: a handle that may query. Absent: Windows refuses.
[[nodiscard]] std::optional<std::uint32_t> faultCount(HANDLE process);

}  // namespace faultline
