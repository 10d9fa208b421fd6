#include "platform/sampling/linux/facts/zeroing_cost.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <catch2/catch_test_macros.hpp>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <ctime>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "platform/sampling/linux/facts/past_caches.h"
#include "tests/support/huge_pages.h"
#include "tests/support/plain.h"

using namespace faultline;

namespace {

constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

Nanoseconds onProcessor() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return std::chrono::seconds(now.tv_sec) + Nanoseconds(now.tv_nsec);
}

double middle(std::vector<double> values) {
  std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
  return values[values.size() / 2];
}

// Whole cost of a KiB of fresh memory, without the time of other programs.
FAULTLINE_PLAIN double touchNsPerKib(int advice) {
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

// As if an hour had passed between two tries.
bool measure(ClearingCost& clearing) {
  for (int hour = 0; hour < 10 && !clearing.cost(); ++hour)
    (void)clearing.measure(MonotonicTime{std::chrono::hours(hour)});
  return clearing.cost().has_value();
}

ZeroingCost measured() {
  ClearingCost clearing;
  if (!measure(clearing)) SKIP("this machine is too busy to measure");
  return *clearing.cost();
}

}  // namespace

TEST_CASE("Clearing a small page costs more than nothing and less than its fault") {
  constexpr double kLeast = 1024 / (64 * 6.0);  // ns: 64 bytes a cycle, at 6 GHz
  const ZeroingCost cost = measured();
  const double whole = touchNsPerKib(MADV_NOHUGEPAGE);
  CAPTURE(cost.smallNsPerKib, whole);
  CHECK(cost.smallNsPerKib > kLeast);
  CHECK(cost.smallNsPerKib < whole);
}

TEST_CASE("Clearing large pages costs about as much as their faults") {
  const test::HugePagesTurn turn;
  const ZeroingCost cost = measured();
  const double whole = touchNsPerKib(MADV_HUGEPAGE);
  CAPTURE(cost.largeNsPerKib, whole);
  // Their memory may lie in a cache, and small pages may come in place of large ones.
  CHECK(cost.largeNsPerKib > whole / 5);
  CHECK(cost.largeNsPerKib < 5 * whole);
}

TEST_CASE("Measuring the cost of clearing leaves no memory behind") {
  if (test::kSanitizer) SKIP("AddressSanitizer keeps freed memory for a while");
  (void)measured();
  const std::uint64_t before = residentBytes();
  (void)measured();
  CHECK(residentBytes() < before + kMegabyte);
}

TEST_CASE("The quality of zeroing time gives the cost for 4 KiB and its error") {
  ClearingCost clearing;
  const auto cost = clearing.cost();
  CHECK_FALSE(cost);
  CHECK(clearing.quality().how.find("Absent until the machine is not busy") != std::string::npos);
  if (!measure(clearing)) SKIP("this machine is too busy to measure");
  const Quality quality = clearing.quality();
  CAPTURE(quality.how);
  CHECK(quality.grade == Grade::Estimated);
  const std::string small = std::to_string(std::lround(4 * clearing.cost()->smallNsPerKib));
  CHECK(quality.how.find("At first: " + small + " ns for 4 KiB, ") != std::string::npos);
  CHECK(quality.how.find("measurements differ by ") != std::string::npos);
  CHECK(quality.how.find(" times") != std::string::npos);
}

TEST_CASE("Memory written past the caches is dearer to clear than memory in a cache") {
  if (!kCanWritePastCaches || test::kSanitizer) SKIP("not for this build");
  constexpr std::size_t kBytes = 128 << 10;
  std::vector<char> memory(kBytes + 4096);
  char* const page = memory.data() + 4096 - reinterpret_cast<std::uintptr_t>(memory.data()) % 4096;
  std::vector<double> cold;
  std::vector<double> cached;
  const auto clear = [&](std::vector<double>& times) {
    const Nanoseconds begin = onProcessor();
    for (std::size_t offset = 0; offset < kBytes; offset += 64) *static_cast<volatile char*>(page + offset) = 0;
    times.push_back(static_cast<double>((onProcessor() - begin).count()));
  };
  for (int i = 0; i < 50; ++i) {
    writePastCaches(page, kBytes);
    clear(cold);
    clear(cached);
  }
  CAPTURE(middle(cold), middle(cached));
  CHECK(middle(cold) > 1.2 * middle(cached));
}

// Collectors started on an idle and on a busy machine must agree.
TEST_CASE("Two busy loops change the cost of clearing by less than 15 percent, or make it absent") {
  const ZeroingCost quiet = measured();
  std::optional<ZeroingCost> busy;
  {
    std::atomic<bool> over = false;
    const auto loop = [&over] {
      while (!over) {
      }
    };
    const std::jthread one(loop);
    const std::jthread two(loop);
    ClearingCost clearing;
    (void)clearing.measure({});
    busy = clearing.cost();
    over = true;
  }
  if (2 > 0.75 * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN))) CHECK_FALSE(busy);
  if (!busy) return;  // refused, as promised
  const ZeroingCost after = measured();
  const auto differ = [](double one, double other) { return std::abs(one - other) > 0.05 * one; };
  if (differ(quiet.largeNsPerKib, after.largeNsPerKib) || differ(quiet.smallNsPerKib, after.smallNsPerKib))
    SKIP("other programs change the cost of clearing here");
  CAPTURE(quiet.smallNsPerKib, busy->smallNsPerKib, quiet.largeNsPerKib, busy->largeNsPerKib);
  CHECK(std::abs(busy->smallNsPerKib - quiet.smallNsPerKib) < 0.15 * quiet.smallNsPerKib);
  CHECK(std::abs(busy->largeNsPerKib - quiet.largeNsPerKib) < 0.15 * quiet.largeNsPerKib);
}
