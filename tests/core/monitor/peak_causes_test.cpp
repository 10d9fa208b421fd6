#include "core/monitor/peak_causes.h"

#include <catch2/catch_test_macros.hpp>

#include "core/monitor/monitor.h"
#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

TEST_CASE("a peak names the processes that made it, the highest first, those that ended in it included") {
  Monitor monitor;
  monitor.ingest(helloOf(500ms));
  Scene scene;
  for (std::uint32_t pid = 1; pid <= 8; ++pid) scene.process(pid);
  const auto sweep = [&] {
    scene.tick();
    monitor.ingest(scene.now);
    scene.now.exited.clear();
  };
  for (int i = 0; i < 20; ++i) sweep();
  for (std::uint32_t pid = 1; pid <= 7; ++pid) scene.fault(pid, pid * 1000);
  scene.now.exited = {scene.process(7)};
  scene.death({7, 0});
  sweep();
  const MonotonicTime peak = scene.now.time;
  for (int i = 0; i < 20; ++i) sweep();
  const auto causes = peakCauses(monitor, ProcessMetric::MinorFaults, peak, peak);
  REQUIRE(causes.size() == 5);
  for (std::uint32_t i = 0; i < 5; ++i) {
    CHECK(causes[i].key.pid == 7 - i);
    CHECK(causes[i].name == "p" + std::to_string(7 - i));
    CHECK(causes[i].value == static_cast<float>((7 - i) * 2000));
  }
  CHECK(peakCauses(monitor, ProcessMetric::MinorFaults, peak + 2s, peak + 3s).empty());
}

TEST_CASE("the highest peaks keep a distance, and zero is not a peak") {
  std::vector<Bucket> buckets;
  for (int i = 0; i < 100; ++i) {
    const MonotonicTime time{i * 1s};
    const float high = i == 20 ? 900.0F : i == 22 ? 800.0F : i == 70 ? 500.0F : 0.0F;
    buckets.push_back({time, time, 0, high, high, false});
  }
  const std::vector<Bucket> peaks = highestPeaks(buckets, 3);
  REQUIRE(peaks.size() == 2);
  CHECK(peaks[0].end == MonotonicTime{20s});
  CHECK(peaks[1].end == MonotonicTime{70s});
  CHECK(highestPeaks({}, 3).empty());
}
