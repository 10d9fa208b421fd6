// Recordings made by earlier versions must stay readable: the gold one was written by format 1.0.
#include <catch2/catch_test_macros.hpp>

#include "core/stream/recording.h"
#include "samples.h"

namespace faultline::test {

TEST_CASE("The recording made by format 1.0 is read as it was written") {
  auto reader = RecordingFile::open(FAULTLINE_FIXTURES "/stream/format_1_0.faultline");
  REQUIRE(reader);
  std::vector<Snapshot> snapshots;
  std::vector<Hello> hellos;
  while (true) {
    const auto event = reader->next();
    REQUIRE(event);
    if (const auto* hello = std::get_if<Hello>(&*event)) hellos.push_back(*hello);
    if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) snapshots.push_back(**snapshot);
    if (std::holds_alternative<RecordingEnd>(*event)) break;
  }
  CHECK(hellos == std::vector{someHello()});
  CHECK(snapshots == eventfulSnapshots(130));
  CHECK(reader->remark().empty());
}

}  // namespace faultline::test
