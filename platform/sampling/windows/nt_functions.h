// The functions of nt/functions.h as this Windows has them, and where that is.
#pragma once

#include "core/base/result.h"
#include "platform/sampling/nt/functions.h"

namespace faultline {

// Error: the list of processes cannot be asked for here.
[[nodiscard]] Result<NtFunctions> systemNtFunctions();
[[nodiscard]] NtHost systemNtHost();

}  // namespace faultline
