// Recordings made by earlier versions must stay readable: the gold ones were written by the formats they are named for.
#include <catch2/catch_test_macros.hpp>

#include "core/stream/recording.h"
#include "samples.h"

namespace faultline::test {
namespace {

struct Contents {
  std::vector<Hello> hellos;
  std::vector<Snapshot> snapshots;
};

Contents contentsOf(const std::string& name) {
  auto reader = RecordingFile::open(FAULTLINE_FIXTURES "/stream/" + name);
  REQUIRE(reader);
  Contents contents;
  while (true) {
    const auto event = reader->next();
    REQUIRE(event);
    if (const auto* hello = std::get_if<Hello>(&*event)) contents.hellos.push_back(*hello);
    if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) contents.snapshots.push_back(**snapshot);
    if (std::holds_alternative<RecordingEnd>(*event)) break;
  }
  CHECK(reader->remark().empty());
  return contents;
}

// What format 1.0 did not know yet.
constexpr std::size_t kProcessMetricsOf10 = 7;
constexpr std::size_t kSystemMetricsOf10 = 14;

Hello asKnownTo10(Hello hello) {
  const Quality unknown{Grade::Unavailable, "The program that made this stream did not know this number yet.", "", 64};
  hello.zeroingCost.reset();
  std::fill(hello.process.begin() + kProcessMetricsOf10, hello.process.end(), unknown);
  std::fill(hello.system.begin() + kSystemMetricsOf10, hello.system.end(), unknown);
  return hello;
}

std::vector<Snapshot> asKnownTo10(std::vector<Snapshot> snapshots) {
  for (Snapshot& snapshot : snapshots) {
    snapshot.exited.clear();
    for (std::size_t i = kSystemMetricsOf10; i < kSystemMetricCount; ++i)
      snapshot.system.clear(static_cast<SystemMetric>(i));
  }
  return snapshots;
}

}  // namespace

TEST_CASE("The recording made by format 1.0 is read as it was written") {
  const Contents contents = contentsOf("format_1_0.faultline");
  CHECK(contents.hellos == std::vector{asKnownTo10(someHello())});
  CHECK(contents.snapshots == asKnownTo10(eventfulSnapshots(130)));
}

TEST_CASE("The recording made by format 1.1 is read as it was written") {
  const Contents contents = contentsOf("format_1_1.faultline");
  CHECK(contents.hellos == std::vector{someHello()});
  CHECK(contents.snapshots == eventfulSnapshots(130));
}

}  // namespace faultline::test
