#include "app/cli/top/spark.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

MonotonicTime at(Nanoseconds time) {
  return {time};
}
Bucket sample(Nanoseconds time, float value) {
  return {at(time), at(time), value, value, value, false};
}

}  // namespace

TEST_CASE("Each column of a sparkline shows its highest sample on a logarithmic scale") {
  const std::vector<Bucket> buckets{sample(1s, 0),       sample(2s, 1),       sample(3s, 10),   sample(4s, 1000),
                                    sample(5s, 100'000), sample(6s, 999'999), sample(7s, 1e6F), sample(8s, 1e9F)};
  CHECK(spark(buckets, at(0s), at(8s), 8) == " ▁▂▄▆▇██");
  CHECK(spark(buckets, at(0s), at(8s), 4) == "▁▄▇█");
  CHECK(spark(buckets, at(0s), at(8s), 1) == "█");
}

TEST_CASE("A sparkline is blank without samples, and a wide bucket fills its columns") {
  CHECK(spark({}, at(0s), at(8s), 4) == "    ");
  CHECK(spark({sample(20s, 5)}, at(0s), at(8s), 4) == "    ");
  const Bucket wide{at(2500ms), at(5500ms), 0, 1, 10, false};
  CHECK(spark({wide}, at(0s), at(8s), 8) == "  ▂▂▂▂  ");
}

TEST_CASE("A sparkline of no width or no duration is empty") {
  CHECK(spark({sample(1s, 5)}, at(0s), at(8s), 0).empty());
  CHECK(spark({sample(1s, 5)}, at(0s), at(8s), -1).empty());
  CHECK(spark({sample(1s, 5)}, at(8s), at(8s), 4).empty());
}
