#include <malloc.h>

#include "tests/support/heap_bytes.h"

namespace faultline::test {

std::size_t heapBytes() {
  const auto info = mallinfo2();
  return info.uordblks + info.hblkhd;
}

}  // namespace faultline::test
