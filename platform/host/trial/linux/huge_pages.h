// A flag of prctl(PR_SET_THP_DISABLE) that older headers lack.
#pragma once

namespace faultline {

inline constexpr unsigned long kExceptAdvised = 1UL << 1U;  // PR_THP_DISABLE_EXCEPT_ADVISED, from Linux 6.18 on

}  // namespace faultline
