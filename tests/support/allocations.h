// The number of calls of operator new in this program, for tests that link allocations.cpp.
#pragma once

#include <cstdint>

namespace faultline::test {

[[nodiscard]] std::uint64_t allocations();

}  // namespace faultline::test
