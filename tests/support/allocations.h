// How many times this program has asked for memory with new. For tests that link allocations.cpp.
#pragma once

#include <cstdint>

namespace faultline::test {

[[nodiscard]] std::uint64_t allocations();

}  // namespace faultline::test
