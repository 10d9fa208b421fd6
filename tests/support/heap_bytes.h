// How many bytes of this program's heap are in use; 0 where the allocator does not tell.
#pragma once

#include <cstddef>

namespace faultline::test {

[[nodiscard]] std::size_t heapBytes();

}  // namespace faultline::test
