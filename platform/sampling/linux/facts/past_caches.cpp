#include "platform/sampling/linux/facts/past_caches.h"

#ifdef __x86_64__
#include <emmintrin.h>
#endif

namespace faultline {

#if defined(__x86_64__)
// Non-temporal stores take their lines out of the caches (Intel SDM vol. 1, 10.4.6.2), at the speed of the memory.
void writePastCaches(char* memory, std::size_t bytes) {
  const __m128i zero = _mm_setzero_si128();
  for (std::size_t offset = 0; offset < bytes; offset += sizeof zero)
    _mm_stream_si128(reinterpret_cast<__m128i*>(memory + offset), zero);
  _mm_sfence();
}
#elif defined(__aarch64__)
// Linux lets programs clean and invalidate lines to the point of coherency, and read their size.
void writePastCaches(char* memory, std::size_t bytes) {
  std::size_t type = 0;
  asm("mrs %0, ctr_el0" : "=r"(type));
  const std::size_t line = std::size_t{4} << ((type >> 16U) & 15U);
  for (std::size_t offset = 0; offset < bytes; offset += line)
    asm volatile("dc civac, %0" ::"r"(memory + offset) : "memory");
  asm volatile("dsb ish" ::: "memory");
}
#else
void writePastCaches(char* /*memory*/, std::size_t /*bytes*/) {}
#endif

}  // namespace faultline
