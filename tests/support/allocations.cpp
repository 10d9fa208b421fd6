#include "tests/support/allocations.h"

#include <cstdlib>
#include <new>

namespace {

std::uint64_t counted = 0;  // NOLINT: operator new has no other place to count

}  // namespace

std::uint64_t faultline::test::allocations() {
  return counted;
}

void* operator new(std::size_t size) {
  ++counted;
  if (void* const memory = std::malloc(size == 0 ? 1 : size)) return memory;  // NOLINT: this is operator new
  throw std::bad_alloc();
}
// A sanitizer has its own operator new, whose memory this operator delete must not free.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++counted;
  return std::malloc(size == 0 ? 1 : size);  // NOLINT: as above
}
void operator delete(void* memory) noexcept {
  std::free(memory);  // NOLINT: as above
}
void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);  // NOLINT: as above
}
