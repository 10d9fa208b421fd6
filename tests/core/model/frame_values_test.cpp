// The program that ran on the processor for which a thread waited.
#include "core/model/frame_values.h"

#include <catch2/catch_test_macros.hpp>

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("The name of the program that a thread waited behind is kept as it is, up to 15 bytes") {
  FrameValues values;
  CHECK_FALSE(values.waitedBehind());
  for (const std::string name : {"a", "cc1plus", "a_name_15_bytes", "\xff\x80 \x1b"}) {
    values.setWaitedBehind({.program = name, .time = 8400us});
    CHECK(values.waitedBehind() == WaitedBehind{.program = name, .time = 8400us});
  }
  values.setWaitedBehind({.program = "a_name_of_more_than_15_bytes", .time = 1ns});
  CHECK(values.waitedBehind()->program == "a_name_of_more_");
}

TEST_CASE("Without a time or a name nothing is known of the program that a thread waited behind") {
  FrameValues values;
  values.setWaitedBehind({.program = "cc1plus", .time = 0ns});
  CHECK_FALSE(values.waitedBehind());
  values.setWaitedBehind({.program = "", .time = 5ms});
  CHECK_FALSE(values.waitedBehind());
  values.set(FrameMetric::ThreadBehindName, ~std::uint64_t{0});  // as a damaged stream may have it
  values.set(FrameMetric::ThreadBehindNameRest, ~std::uint64_t{0});
  CHECK(values.waitedBehind()->program == std::string(16, '\xff'));
}

}  // namespace faultline::test
