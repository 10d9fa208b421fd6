#include "core/trial/progress.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("A line of a trial's progress is read as it was written, and no other line is one") {
  const TrialProgress progress{.run = 5, .runs = 132, .what = "Round 3 of 12: keep"};
  CHECK(trialProgressLine(progress) == "run 5 of 132: Round 3 of 12: keep");
  CHECK(parseTrialProgress(trialProgressLine(progress)) == progress);
  for (const char* other : {"", "run", "run 5", "run 5 of", "run 0 of 3: x", "run 4 of 3: x", "run 1 of 3 x",
                            "faultline-cli: run 1 of 3: x", "run 99999999999999999999999 of 3: x"})
    CHECK_FALSE(parseTrialProgress(other));
}
