#include <malloc.h>

#include "tests/support/heap_bytes.h"

namespace faultline::test {

std::size_t heapBytes() {
  std::size_t bytes = 0;
  for (_HEAPINFO block{}; _heapwalk(&block) == _HEAPOK;)
    if (block._useflag == _USEDENTRY) bytes += block._size;
  return bytes;
}

}  // namespace faultline::test
