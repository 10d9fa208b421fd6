// The table of a frame's numbers: titles, and the numbers of a process that are those of a frame.
#include "core/model/frame_numbers.h"

#include <catch2/catch_test_macros.hpp>
#include <set>

namespace faultline::test {

TEST_CASE("Each number of a frame has a title of its own, that of the process's number where there is one") {
  std::set<std::string> titles;
  for (const FrameField& row : kFrameFields) {
    CAPTURE(row.name);
    if (row.name.empty()) continue;
    CHECK(titles.insert(titleOf(row)).second);
    if (const auto* const of = processField(row)) CHECK(of->unit == row.unit);
  }
  CHECK(titleOf(field(FrameMetric::FaultTimeOnDisk)) == "Fault time, disk");
  CHECK(titleOf(field(FrameMetric::ThreadFreedBytes)) == "Freed (thread)");
  CHECK(titleOf(field(FrameMetric::ThreadAwaitedFaultTime)) == "Awaited fault (thread)");
  CHECK(titleOf(field(FrameMetric::DelayStretch)).empty());
}

TEST_CASE("All times and sizes of all threads that processes have are found among the numbers of a process") {
  for (const FrameField& row : kFrameFields) {
    CAPTURE(row.name);
    CHECK((row.scope == FrameScope::Game && isMean(row) && processField(row) == nullptr) == false);
  }
}

}  // namespace faultline::test
