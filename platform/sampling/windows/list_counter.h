// The sum of the lists of free and of zeroed pages by PDH, which asks no privilege.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

namespace faultline {

// The first call loads pdh.dll and opens the counter "\Memory\Free & Zero Page List Bytes". A call returns the current
// value, in bytes; absent if PDH or the counter is missing.
[[nodiscard]] std::function<std::optional<std::uint64_t>()> listCounter();

}  // namespace faultline
