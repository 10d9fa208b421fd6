#include "core/parse/nt/system.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/support/guard_page.h"
#include "tests/support/nt_kernel.h"

using namespace faultline;
using test::NtBytes;

namespace {

// Runs `parse` on a copy of the first `size` bytes that ends at a guard page.
template <class Parse>
auto ofFirst(const NtBytes& bytes, std::size_t size, Parse parse) {
  const test::GuardedText guarded({reinterpret_cast<const char*>(bytes.data()), size});
  return parse(std::as_bytes(std::span(guarded.view())));
}

}  // namespace

TEST_CASE("system-wide memory counters of Windows are read") {
  const NtBytes bytes = test::ntPerformance({.available = 1,
                                             .committed = 2,
                                             .commitLimit = 3,
                                             .faults = 0xFFFFFFFF,
                                             .copyOnWrite = 5,
                                             .transitions = 6,
                                             .demandZero = 7,
                                             .pageReads = 8});
  const NtPerformance expected{.availablePages = 1,
                               .committedPages = 2,
                               .commitLimitPages = 3,
                               .faults = 0xFFFFFFFF,
                               .copyOnWrite = 5,
                               .transitions = 6,
                               .demandZero = 7,
                               .pageReads = 8};
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const auto parsed = ofFirst(bytes, size, parseNtPerformance);
    CHECK(parsed.has_value() == (size >= 0x58));
    if (parsed) CHECK(*parsed == expected);
  }
}

TEST_CASE("the lengths of Windows' lists of zeroed and of free pages are read") {
  const NtBytes bytes = test::ntMemoryLists(0x123456789A, 42);
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const auto parsed = ofFirst(bytes, size, parseNtMemoryLists);
    CHECK(parsed.has_value() == (size >= 16));
    if (parsed) CHECK(*parsed == NtMemoryLists{.zeroedPages = 0x123456789A, .freePages = 42});
  }
}

TEST_CASE("the boot time of Windows is read") {
  NtBytes bytes(48, std::byte{0xFF});
  test::putAt(bytes, 0, std::uint64_t{0x01D9ABCDEF012345});
  for (std::size_t size = 0; size <= bytes.size(); ++size) {
    const auto parsed = ofFirst(bytes, size, parseNtBootTime);
    CHECK(parsed.has_value() == (size >= 8));
    if (parsed) CHECK(*parsed == 0x01D9ABCDEF012345);
  }
}
