// Windows' own functions for nt/fault_watch.h.
#pragma once

#include "platform/sampling/nt/fault_watch.h"
#include "platform/system/windows/unique_handle.h"

namespace faultline {

// `process`: a handle with PROCESS_QUERY_INFORMATION and PROCESS_SET_INFORMATION.
[[nodiscard]] FaultFunctions faultFunctions(UniqueHandle process);

}  // namespace faultline
