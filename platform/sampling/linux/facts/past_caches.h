// Memory that no cache holds, without touching as much other memory as the caches hold.
#pragma once

#include <cstddef>

namespace faultline {

#if defined(__x86_64__) || defined(__aarch64__)
inline constexpr bool kCanWritePastCaches = true;
#else
inline constexpr bool kCanWritePastCaches = false;
#endif

// Makes every cache drop the memory, which begins at a page. Its content becomes undefined.
void writePastCaches(char* memory, std::size_t bytes);

}  // namespace faultline
