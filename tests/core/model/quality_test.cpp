#include "core/model/quality.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("A metric is unavailable for a reason, and keeps its quality without one") {
  const Unavailable reason{.why = "cap_bpf is missing", .enable = "Grant it."};
  CHECK(qualityUnless(reason, exact("counted")) ==
        Quality{.grade = Grade::Unavailable, .how = "cap_bpf is missing", .enable = "Grant it."});
  CHECK(qualityUnless({}, exact("counted")) == Quality{.grade = Grade::Exact, .how = "counted", .enable = {}});
}
