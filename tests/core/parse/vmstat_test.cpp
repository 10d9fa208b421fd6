#include "core/parse/vmstat.h"

#include <catch2/catch_test_macros.hpp>
#include <string>

#include "tests/support/fixture.h"
#include "tests/support/guard_page.h"

using namespace faultline;

namespace {

// Absent, or equal to the value of the whole file.
bool agrees(const std::optional<std::uint64_t>& value, const std::optional<std::uint64_t>& whole) {
  return !value || value == whole;
}

}  // namespace

TEST_CASE("vmstat sums the zones and matches keys exactly") {
  const VmStat vmstat = parseVmStat(
      "pgalloc_dma 1\npgalloc_dma32 20\npgalloc_normal 300\npgfree 7\npgfault 11\npgmajfault 2\n"
      "thp_fault_alloc 5\nthp_fault_fallback 6\nthp_fault_fallback_charge 99\n");
  CHECK(vmstat == VmStat{.faults = 11,
                         .majorFaults = 2,
                         .pagesAllocated = 321,
                         .pagesFreed = 7,
                         .thpFaultsAllocated = 5,
                         .thpFaultsFallback = 6});
}

TEST_CASE("vmstat of a kernel without huge pages leaves them absent") {
  const VmStat vmstat = parseVmStat("pgalloc_dma 1\npgfault 18446744073709551615\n");
  CHECK(vmstat.faults == UINT64_MAX);
  CHECK_FALSE(vmstat.thpFaultsAllocated);
}

TEST_CASE("An invalid number in vmstat makes only that value absent") {
  const VmStat vmstat = parseVmStat("pgalloc_dma 1\npgalloc_normal x\npgfree 18446744073709551616\npgfault 4\n");
  CHECK_FALSE(vmstat.pagesAllocated);
  CHECK_FALSE(vmstat.pagesFreed);
  CHECK(vmstat.faults == 4);
}

TEST_CASE("vmstat cut at any byte, against a guard page, has no partial value") {
  const std::string text = test::fixture("linux/vmstat");
  const VmStat whole = parseVmStat(text);
  CHECK(whole.faults);
  CHECK(whole.pagesAllocated);
  CHECK(whole.thpFaultsFallback);
  for (std::size_t size = 0; size <= text.size(); ++size) {
    const test::GuardedText cut(std::string_view(text).substr(0, size));
    const VmStat vmstat = parseVmStat(cut.view());
    const bool same = agrees(vmstat.faults, whole.faults) && agrees(vmstat.majorFaults, whole.majorFaults) &&
                      agrees(vmstat.pagesAllocated, whole.pagesAllocated) &&
                      agrees(vmstat.pagesFreed, whole.pagesFreed) &&
                      agrees(vmstat.thpFaultsAllocated, whole.thpFaultsAllocated) &&
                      agrees(vmstat.thpFaultsFallback, whole.thpFaultsFallback);
    if (!same) FAIL("cut at " << size);
  }
}
