#include "core/parse/processor_ticks.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("A recorded line of all processors has all time and idle time, and counts guests once") {
  CHECK(parseProcessorTicks("cpu  100 20 30 4000 50 6 7 8 90 9\ncpu0 1 2 3 4\n") ==
        ProcessorTicks{.all = 4221, .idle = 4050});
}

TEST_CASE("A line of processors that is cut, short or another is absent") {
  CHECK_FALSE(parseProcessorTicks(""));
  CHECK_FALSE(parseProcessorTicks("cpu0 100 20 30 4000 50 6 7 8\n"));
  CHECK_FALSE(parseProcessorTicks("cpu  100 20 30 4000 50 6 7 8"));
  CHECK_FALSE(parseProcessorTicks("cpu  100 20 30 4000 50 6 7\n"));
  CHECK_FALSE(parseProcessorTicks("cpu  100 -20 30 4000 50 6 7 8\n"));
}
