#include "core/lab/view/progress.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

TEST_CASE("a line of progress reads back as it was written") {
  CHECK(parseLabProgress(labProgressLine("cost", labTurnText(0, 7))) ==
        LabProgress{.experiment = "cost", .text = "warming up"});
  CHECK(parseLabProgress(labProgressLine("cost", labTurnText(3, 8))) ==
        LabProgress{.experiment = "cost", .text = "turn 3 of 8", .done = 0.25});
  CHECK(parseLabProgress(labProgressLine("pool", labProcessText(4711))) ==
        LabProgress{.experiment = "pool", .text = "process 4711", .pid = 4711});
}

TEST_CASE("a line that is no progress is none, and a damaged number is absent") {
  CHECK_FALSE(parseLabProgress(""));
  CHECK_FALSE(parseLabProgress(": turn 1 of 2"));
  CHECK_FALSE(parseLabProgress("Up to 3 processes are missing: the snapshot was full."));
  CHECK_FALSE(parseLabProgress("cost: process 99999999999")->pid);
  CHECK_FALSE(parseLabProgress("cost: process -1")->pid);
  for (const char* const text : {"cost: turn 3 of", "cost: turn x of 4", "cost: turn 5 of 4", "cost: turn 0 of 0"})
    CHECK_FALSE(parseLabProgress(text)->done);
}
