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
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "tests/support/huge_pages.h"
#include "tests/support/plain.h"
#include "tests/support/scratch_folder.h"

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

ZeroingCost measured() {
  ClearingCost clearing;
  for (int i = 0; i < 10 && !clearing.cost(); ++i) clearing.measureAtStart();
  const auto cost = clearing.cost();
  if (!cost) SKIP("this machine is too busy for its measurements to agree");
  return *cost;
}

}  // namespace

TEST_CASE("Clearing a small page costs more than nothing and less than its fault") {
  const ZeroingCost cost = measured();
  const double whole = touchNsPerKib(MADV_NOHUGEPAGE);
  CAPTURE(cost.smallNsPerKib, whole);
  CHECK(cost.smallNsPerKib > 0.03 * whole);
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
  CHECK(clearing.quality().how.find("Absent until the measurements agree") != std::string::npos);
  for (int i = 0; i < 10 && !clearing.cost(); ++i) clearing.measureAtStart();
  if (!clearing.cost()) SKIP("this machine is too busy for its measurements to agree");
  const Quality quality = clearing.quality();
  CAPTURE(quality.how);
  CHECK(quality.grade == Grade::Estimated);
  const std::string small = std::to_string(std::lround(4 * clearing.cost()->smallNsPerKib));
  CHECK(quality.how.find("At the start: " + small + " ns for 4 KiB, ") != std::string::npos);
  CHECK(quality.how.find(" times") != std::string::npos);
  CHECK((quality.how.find("caches are larger") != std::string::npos) == (cacheBytes() > kMostEvicted));
  CHECK(ClearingCost(2 * kMostEvicted).quality().how.find("Absent") != std::string::npos);
}

namespace {

// Rounds with these factors to the cost of an undisturbed round.
std::vector<ClearingRound> rounds(const std::vector<double>& dearer) {
  std::vector<ClearingRound> all;
  for (const double factor : dearer) all.push_back({.cold = 100 * factor, .cached = 20 * factor});
  return all;
}

}  // namespace

TEST_CASE("The cost of clearing is that of the low rounds, even if disturbed rounds were very slow") {
  const auto costs = agreedCosts(rounds({1.02, 1, 1, 1.01, 9, 40, 1.01, 1.03, 20, 7, 1, 1}));
  REQUIRE(costs);
  CHECK(std::abs(costs->cold - 100) < 5);
  CHECK(std::abs(costs->cached - 20) < 1);
  CHECK_FALSE(agreedCosts(rounds({1, 1.6, 1.6, 1, 1.6, 1.6, 1, 1.6, 1.6})));  // the thirds differ
  CHECK_FALSE(agreedCosts(rounds({1, 1, 1})));                                // too few rounds
  CHECK_FALSE(agreedCosts(rounds(std::vector(10, 0.01))));                    // no memory is this fast
  CHECK_FALSE(agreedCosts(rounds(std::vector(10, 44.32))));
  auto busy = rounds(std::vector(10, 1.0));
  for (ClearingRound& round : busy) round.others = 1;
  CHECK_FALSE(agreedCosts(busy));
  for (std::size_t i = 0; i < 6; ++i) busy[i].others = 0.5;
  CHECK(agreedCosts(busy));
}

TEST_CASE("All data caches count, instruction caches do not, and a machine without data counts as 32 MiB") {
  const std::filesystem::path folder = test::makeScratchFolder();
  const auto cache = [&](int index, const char* type, const char* size) {
    const auto of = folder / ("index" + std::to_string(index));
    std::filesystem::create_directories(of);
    std::ofstream(of / "type") << type << '\n';
    std::ofstream(of / "size") << size << '\n';
  };
  CHECK(cacheBytes(folder) == kUnknownCache);
  cache(0, "Data", "32K");
  cache(1, "Instruction", "32K");
  cache(2, "Unified", "1024K");
  cache(3, "Unified", "32768K");
  CHECK(cacheBytes(folder) == (32 + 1024 + 32768) * std::size_t{1024});
  std::filesystem::remove_all(folder);
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
    clearing.measureAtStart();
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
