// The memory region in which only turncoat's secret program works.
#pragma once

#include <cstddef>
#include <cstdint>

namespace faultline::test {

inline constexpr std::uintptr_t kSecretPlace = 0x5ec0'0000'0000;
inline constexpr std::size_t kSecretPages = 64;
inline constexpr std::size_t kSecretBytes = kSecretPages * 4096;

}  // namespace faultline::test
