// The heap bytes in use by this program; 0 if the allocator does not report them.
#pragma once

#include <cstddef>

namespace faultline::test {

[[nodiscard]] std::size_t heapBytes();

}  // namespace faultline::test
