// Windows time (FILETIME, NtQuerySystemInformation): units of 100 ns since 1601 UTC.
#pragma once

#include <cstdint>

namespace faultline {

inline constexpr std::uint64_t kNtTimeNs = 100;  // nanoseconds per unit
inline constexpr std::uint64_t kNtTimeOf1970 = 116'444'736'000'000'000;

}  // namespace faultline
