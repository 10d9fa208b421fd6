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

// Metrics unknown to format 1.0, or to the programs that wrote the recordings of formats 1.1 and 1.4.
constexpr std::size_t kProcessMetricsOf10 = 7;
constexpr std::size_t kSystemMetricsOf10 = 14;
constexpr std::size_t kProcessMetricsOf11 = 15;
constexpr std::size_t kSystemMetricsOf11 = 16;
constexpr std::size_t kProcessMetricsOf14 = 21;
constexpr std::size_t kSystemMetricsOf14 = 27;
const Quality kUnknown{Grade::Unavailable, "The program that made this stream did not know this number yet.", "", 64};

Hello asKnownTo(std::size_t processMetrics, std::size_t systemMetrics) {
  Hello hello = someHello();
  std::fill(hello.process.begin() + static_cast<std::ptrdiff_t>(processMetrics), hello.process.end(), kUnknown);
  std::fill(hello.system.begin() + static_cast<std::ptrdiff_t>(systemMetrics), hello.system.end(), kUnknown);
  return hello;
}

Hello asKnownTo10() {
  Hello hello = asKnownTo(kProcessMetricsOf10, kSystemMetricsOf10);
  hello.zeroingCost.reset();
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

// With the metrics that format 1.1 did not have yet; they grow, and half of the processes have them.
std::vector<Snapshot> snapshotsOf14() {
  std::vector<Snapshot> snapshots = withSystemMetrics(eventfulSnapshots(130), kSystemMetricsOf14);
  for (std::size_t step = 0; step < snapshots.size(); ++step) {
    for (auto* const processes : {&snapshots[step].processes, &snapshots[step].exited}) {
      for (ProcessSample& process : *processes) {
        if (process.key.pid % 2 == 1) continue;
        for (std::size_t metric = kProcessMetricsOf11; metric < kProcessMetricsOf14; ++metric)
          process.values.set(static_cast<ProcessMetric>(metric), (process.key.pid * (metric + 1) + step) * 4096);
      }
    }
  }
  return snapshots;
}

}  // namespace

TEST_CASE("A recording in format 1.0 is read correctly") {
  const Contents contents = contentsOf("format_1_0.faultline");
  CHECK(contents.hellos == std::vector{asKnownTo10()});
  CHECK(contents.snapshots == asKnownTo10(eventfulSnapshots(130)));
}

TEST_CASE("A recording in format 1.1 is read correctly") {
  const Contents contents = contentsOf("format_1_1.faultline");
  CHECK(contents.hellos == std::vector{asKnownTo(kProcessMetricsOf11, kSystemMetricsOf11)});
  CHECK(contents.snapshots == withSystemMetrics(eventfulSnapshots(130), kSystemMetricsOf11));
}

TEST_CASE("A recording in format 1.4 is read correctly") {
  const Contents contents = contentsOf("format_1_4_sweep.faultline");
  CHECK(contents.hellos == std::vector{asKnownTo(kProcessMetricsOf14, kSystemMetricsOf14)});
  CHECK(contents.snapshots == snapshotsOf14());
}

}  // namespace faultline::test
