#include "core/culprits/kept_culprits.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline {
namespace {

constexpr std::size_t kMost = 300;
constexpr std::uint64_t kFirst = 1000;

std::shared_ptr<const Culprits> some(std::uint64_t faults) {
  auto culprits = std::make_shared<Culprits>();
  culprits->faults = faults;
  return culprits;
}

KeptCulprits full() {
  KeptCulprits kept(kMost);
  for (std::uint64_t place = kFirst; place < kFirst + kMost; ++place) kept.add(place, 4, some(place));
  return kept;
}

}  // namespace

TEST_CASE("Culprits just found are kept, also those of the oldest frame when all room is taken") {
  KeptCulprits kept = full();
  kept.add(7, 64, some(7));
  REQUIRE(kept.find(7) != nullptr);
  CHECK(kept.find(7)->faults == 7);
  CHECK(kept.samplesOf(7) == 64);
  CHECK(kept.size() == kMost);
}

TEST_CASE("Culprits that were looked up longest ago are dropped, and stay valid for those who hold them") {
  KeptCulprits kept = full();
  const auto held = kept.find(kFirst);
  const auto dropped = kept.find(kFirst + 1);
  for (std::uint64_t place = kFirst + 2; place < kFirst + kMost; ++place) CHECK(kept.find(place) != nullptr);
  CHECK(kept.find(kFirst) == held);
  kept.add(7, 4, some(7));
  CHECK(kept.find(kFirst) == held);
  CHECK(kept.find(kFirst + 1) == nullptr);
  CHECK(kept.samplesOf(kFirst + 1) == 0);
  CHECK(dropped->faults == kFirst + 1);
}

TEST_CASE("Culprits found again with more samples replace the earlier ones") {
  KeptCulprits kept = full();
  kept.add(kFirst, 9, some(1));
  CHECK(kept.size() == kMost);
  CHECK(kept.samplesOf(kFirst) == 9);
  CHECK(kept.find(kFirst)->faults == 1);
}

}  // namespace faultline
