// How many times this program has asked for memory with new. Defined in allocations.cpp of the test that counts.
#pragma once

#include <cstdint>

namespace faultline::test {

[[nodiscard]] std::uint64_t allocations();

}  // namespace faultline::test
