#include "core/parse/machine_load.h"

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

TEST_CASE("The number of runnable threads is the fourth field's first half") {
  CHECK(parseRunnable("0.20 0.18 0.12 2/80 11206\n") == 2U);
  CHECK(parseRunnable("117.01 90.00 12.12 120/4096 7\n") == 120U);
}

TEST_CASE("A text that is cut or of another shape has no such number") {
  for (const char* const text : {"", "\n", "0.20 0.18 0.12", "0.20 0.18 0.12 ", "0.20 0.18 0.12 2",
                                 "0.20 0.18 0.12 x/80", "0.20 0.18 0.12 99999999999999999999/80 1"})
    CHECK_FALSE(parseRunnable(text));
}
