#include "platform/host/reading_budget.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("A budget of reading is tight once half of what it began with is spent, and empty at its end") {
  ReadingBudget budget(1h, 1000);
  budget.spend(20min);
  CHECK_FALSE(budget.isTight());
  budget.spend(15min);
  CHECK((budget.isTight() && budget.left() > 0s));
  budget.spend(30min);
  CHECK(budget.left() <= 0s);
  ReadingBudget bytes(1h, std::uint64_t{1} << 40U);
  bytes.spend(std::uint64_t{1} << 40U);
  CHECK_FALSE(bytes.isTight());
  bytes.spend(std::uint64_t{1} << 40U);
  CHECK(bytes.left() == 0s);
}

}  // namespace faultline::test
