// Recordings in all earlier formats stay readable. Each file is named for the format that wrote it.
#include <catch2/catch_test_macros.hpp>

#include "core/recording/recording.h"
#include "tests/core/stream/samples.h"

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

// Metrics unknown to format 1.0, or to the program that wrote the recording of format 1.1.
constexpr std::size_t kProcessMetricsOf10 = 7;
constexpr std::size_t kSystemMetricsOf10 = 14;
constexpr std::size_t kProcessMetricsOf11 = 15;
constexpr std::size_t kSystemMetricsOf11 = 16;
const Quality kUnknown{Grade::Unavailable, "The program that made this stream did not know this number yet.", "", 64};

Hello asKnownTo11(Hello hello) {
  std::fill(hello.process.begin() + kProcessMetricsOf11, hello.process.end(), kUnknown);
  std::fill(hello.system.begin() + kSystemMetricsOf11, hello.system.end(), kUnknown);
  return hello;
}

Hello asKnownTo10(Hello hello) {
  hello.zeroingCost.reset();
  std::fill(hello.process.begin() + kProcessMetricsOf10, hello.process.end(), kUnknown);
  std::fill(hello.system.begin() + kSystemMetricsOf10, hello.system.end(), kUnknown);
  return hello;
}

std::vector<Snapshot> withSystemMetrics(std::vector<Snapshot> snapshots, std::size_t count) {
  for (Snapshot& snapshot : snapshots)
    for (std::size_t i = count; i < kSystemMetricCount; ++i) snapshot.system.clear(static_cast<SystemMetric>(i));
  return snapshots;
}

std::vector<Snapshot> asKnownTo10(std::vector<Snapshot> snapshots) {
  for (Snapshot& snapshot : snapshots) snapshot.exited.clear();
  return withSystemMetrics(std::move(snapshots), kSystemMetricsOf10);
}

}  // namespace

TEST_CASE("A recording in format 1.0 is read correctly") {
  const Contents contents = contentsOf("format_1_0.faultline");
  CHECK(contents.hellos == std::vector{asKnownTo10(someHello())});
  CHECK(contents.snapshots == asKnownTo10(eventfulSnapshots(130)));
}

TEST_CASE("A recording in format 1.1 is read correctly") {
  const Contents contents = contentsOf("format_1_1.faultline");
  CHECK(contents.hellos == std::vector{asKnownTo11(someHello())});
  CHECK(contents.snapshots == withSystemMetrics(eventfulSnapshots(130), kSystemMetricsOf11));
}

}  // namespace faultline::test
