// Anonymous memory for tests that count its pages.
#pragma once

#include <sys/mman.h>

#include <cstddef>

namespace faultline::test {

inline constexpr std::size_t kPage = 4096;
inline constexpr std::size_t kHuge = std::size_t{2} << 20U;

inline char* mapPages(std::size_t bytes, int flags = MAP_PRIVATE) {
  return static_cast<char*>(mmap(nullptr, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1, 0));
}

}  // namespace faultline::test
