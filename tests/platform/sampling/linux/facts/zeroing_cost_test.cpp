#include "platform/sampling/linux/facts/zeroing_cost.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <vector>

#include "tests/support/huge_pages.h"

using namespace faultline;

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

Nanoseconds onProcessor() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

// Of several, as other programs run beside the test.
double middle(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// What a KiB of fresh memory costs in all; not what others took in between.
double touchNsPerKib(int advice) {
  constexpr std::size_t kBytes = 16 * kMegabyte;
  std::vector<double> rounds;
  for (int round = 0; round < 5; ++round) {
    void* const mapped = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    REQUIRE(mapped != MAP_FAILED);
    madvise(mapped, kBytes, advice);
    auto* const memory = static_cast<volatile char*>(mapped);
    const Nanoseconds begin = onProcessor();
    for (std::size_t offset = 0; offset < kBytes; offset += 4096) memory[offset] = 1;
    rounds.push_back(static_cast<double>((onProcessor() - begin).count()) * 1024 / kBytes);
    munmap(mapped, kBytes);
  }
  return middle(rounds);
}

std::uint64_t residentBytes() {
  std::ifstream file("/proc/self/statm");
  std::uint64_t total = 0;
  std::uint64_t resident = 0;
  file >> total >> resident;
  return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

ZeroingCost measured() {
  ClearingCost clearing;
  for (int i = 0; i < 10 && !clearing.cost(); ++i) clearing.measureAtStart();
  const auto cost = clearing.cost();
  if (!cost) SKIP("this machine is too busy for its measurements to agree");
  return *cost;
}

}  // namespace

TEST_CASE("clearing a small page costs more than nothing and less than faulting it in") {
  const ZeroingCost cost = measured();
  const double whole = touchNsPerKib(MADV_NOHUGEPAGE);
  CAPTURE(cost.smallNsPerKib, whole);
  CHECK(cost.smallNsPerKib > 0.03 * whole);
  CHECK(cost.smallNsPerKib < whole);
}

TEST_CASE("clearing large pages costs about what faulting them in does") {
  const test::HugePagesTurn turn;
  const ZeroingCost cost = measured();
  const double whole = touchNsPerKib(MADV_HUGEPAGE);
  CAPTURE(cost.largeNsPerKib, whole);
  CHECK(cost.largeNsPerKib > 0.3 * whole);
  CHECK(cost.largeNsPerKib < 3 * whole);
}

TEST_CASE("measuring what clearing costs leaves no memory behind") {
#ifdef __SANITIZE_ADDRESS__
  SKIP("AddressSanitizer keeps freed memory for a while");
#endif
  (void)measured();
  const std::uint64_t before = residentBytes();
  (void)measured();
  CHECK(residentBytes() < before + kMegabyte);
}

TEST_CASE("what is said of zeroing time gives both costs for 4 KiB") {
  const Quality quality = zeroingTimeQuality(ZeroingCost{.smallNsPerKib = 112.6, .largeNsPerKib = 99.9});
  CHECK(quality.grade == Grade::Estimated);
  CHECK(quality.how.find("450 ns for 4 KiB in small pages, 400 in large ones") != std::string::npos);
}

namespace {

// Each costs as much more than an undisturbed one as it says.
std::vector<ClearingRound> rounds(const std::vector<double>& dearer) {
  std::vector<ClearingRound> all;
  for (const double factor : dearer) all.push_back({300 * factor, 220 * factor, 20 * factor, 90 * factor});
  return all;
}

}  // namespace

TEST_CASE("the cost of clearing is what the lowest rounds agree on, however dear the disturbed ones were") {
  const auto cost = agreedCost(rounds({1.02, 1, 1, 1.01, 9, 40, 1.01, 1.03, 20, 7, 1, 1}));
  REQUIRE(cost);
  CHECK(std::abs(cost->smallNsPerKib - 100) < 5);
  CHECK(std::abs(cost->largeNsPerKib - 90) < 5);
  CHECK_FALSE(agreedCost(rounds({1, 1.6, 1.6, 1, 1.6, 1.6, 1, 1.6, 1.6})));  // each third says something else
  CHECK_FALSE(agreedCost(rounds({1, 1, 1})));                                // too few to tell
  CHECK_FALSE(agreedCost(rounds(std::vector(10, 0.01))));                    // no memory is as fast
  CHECK_FALSE(agreedCost(rounds(std::vector(10, 44.32))));
}

TEST_CASE("where measuring did not agree on what clearing costs, the quality says so and promises no number") {
  const Quality quality = zeroingTimeQuality(std::nullopt);
  CHECK(quality.how.find("absent until these measurements agree") != std::string::npos);
}
