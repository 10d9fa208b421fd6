// The real functions of nt/functions.h, and the machine.
#pragma once

#include "core/base/result.h"
#include "platform/sampling/nt/functions.h"

namespace faultline {

// Error: ntdll has no NtQuerySystemInformation.
[[nodiscard]] Result<NtFunctions> systemNtFunctions();
[[nodiscard]] NtHost systemNtHost();

}  // namespace faultline
