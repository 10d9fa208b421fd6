#include "core/lab/processors_usage.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("The share of others is the time that neither this process nor nothing took") {
  const ProcessorsUsage before{.all = 100s, .idle = 60s, .own = 5s};
  CHECK(othersShare(before, {.all = 110s, .idle = 62s, .own = 8s}) == Catch::Approx(0.5));
  CHECK(othersShare(before, {.all = 110s, .idle = 70s, .own = 5s}) == 0);
  CHECK(othersShare(before, {.all = 110s, .idle = 66s, .own = 10s}) == 0);  // ticks and nanoseconds differ
  CHECK(othersShare(before, before) == 0);
}
