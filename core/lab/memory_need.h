// Whether an experiment of the lab may start.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/base/result.h"

namespace faultline {

// Error: less than what it needs and a reserve for other programs is available. Unknown memory is taken as enough.
[[nodiscard]] Result<void> enoughMemory(std::string_view experiment, std::uint64_t needs,
                                        std::optional<std::uint64_t> available);

}  // namespace faultline
