#include "core/spikes/detector.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "tests/core/spikes/watcher.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

// A game that started before monitoring began.
SpikeWatcher game(std::uint64_t perSweep, Nanoseconds interval = 500ms, const SpikeOptions& options = {}) {
  SpikeWatcher watcher(interval, options);
  watcher.scene.process(1).name = "game";
  watcher.steady(perSweep, 30s);
  return watcher;
}

}  // namespace

TEST_CASE("one sample at ten times a game's steady rate is one spike with exact values") {
  SpikeWatcher watcher = game(1500);
  REQUIRE(watcher.spikes.empty());
  const MonotonicTime before = watcher.scene.now.time;
  const WallTime wall = watcher.scene.now.wallTime;
  watcher.faults(15'000);
  REQUIRE(watcher.spikes.size() == 1);
  CHECK(watcher.only().open);
  watcher.steady(1500, 10s);
  REQUIRE(watcher.spikes.size() == 1);
  const Spike& spike = watcher.only();
  CHECK(spike.id == 1);
  CHECK(spike.key == ProcessKey{1, 0});
  CHECK(spike.name == "game");
  CHECK(spike.metric == ProcessMetric::MinorFaults);
  CHECK(spike.start == before);
  CHECK(spike.wallStart == wall);
  CHECK(spike.peakTime == before + 500ms);
  CHECK(spike.end == before + 500ms);
  CHECK(spike.faults == 15'000);
  CHECK(spike.peakPerSecond == 30'000);
  CHECK(spike.usualPerSecond == 3000);
  CHECK_FALSE(spike.open);
}

TEST_CASE("one frame of 8192 pages among frames of 16 is a spike at any interval, and no other frame is") {
  for (const Nanoseconds interval : {10ms, 50ms, 100ms, 300ms, 500ms, 1000ms}) {
    INFO("interval " << interval / 1ms << " ms");
    // 60 frames per second with 16 faults each, rounded to whole faults per sweep.
    const auto usual = static_cast<std::uint64_t>(960 * interval / 1s);
    SpikeWatcher watcher = game(usual, interval);
    const MonotonicTime before = watcher.scene.now.time;
    watcher.faults(usual + 8192 - 16);
    watcher.steady(usual, 10s);
    REQUIRE(watcher.spikes.size() == 1);
    CHECK(watcher.only().start == before);
    CHECK(watcher.only().end == before + interval);
    CHECK(watcher.only().peakTime == before + interval);
    CHECK(watcher.only().faults == usual + 8192 - 16);
  }
}

TEST_CASE("a burst with a dip is one spike with all its faults") {
  SpikeWatcher watcher = game(100);
  const MonotonicTime before = watcher.scene.now.time;
  for (const std::uint64_t faults : {4000, 9000, 100, 6000, 200}) watcher.faults(faults);
  watcher.steady(100, 10s);
  REQUIRE(watcher.spikes.size() == 1);
  const Spike& spike = watcher.only();
  CHECK(spike.start == before);
  CHECK(spike.peakTime == before + 1s);
  CHECK(spike.end == before + 2s);
  CHECK(spike.faults == 4000 + 9000 + 100 + 6000);
  CHECK(spike.peakPerSecond == 18'000);
}

TEST_CASE("a burst with dips is one spike at a short interval too, exact to the sample") {
  SpikeWatcher watcher = game(0, 10ms);
  watcher.steady(0, 70ms);
  const MonotonicTime before = watcher.scene.now.time;
  for (int i = 0; i < 100; ++i) watcher.faults(i % 4 == 0 ? 400 : 2);
  watcher.steady(2, 5s);
  REQUIRE(watcher.spikes.size() == 1);
  CHECK(watcher.only().start == before);
  CHECK(watcher.only().end == before + 970ms);
  CHECK(watcher.only().faults == 25 * 400 + 24 * 3 * 2);
}

TEST_CASE("two bursts well apart are two spikes") {
  SpikeWatcher watcher = game(100);
  watcher.faults(8000);
  watcher.steady(100, 5s);
  watcher.faults(8000);
  watcher.steady(100, 5s);
  CHECK(watcher.spikes.size() == 2);
  CHECK(watcher.spikes[1].end < watcher.spikes[2].start);
}

TEST_CASE("bursts that come again and again are spikes each time: the quiet that ends them is usual, too") {
  SpikeWatcher watcher(500ms);
  watcher.scene.process(1).name = "game";
  watcher.steady(0, 20s);
  for (int i = 0; i < 21; ++i) {
    watcher.faults(26'000);
    watcher.steady(0, 4500ms);
  }
  CHECK(watcher.spikes.size() == 21);
}

TEST_CASE("a spike is reported when it begins, when it grows and once when it ends") {
  SpikeWatcher watcher = game(100);
  watcher.scene.fault(1, 8000);
  REQUIRE(watcher.sweep().size() == 1);
  watcher.scene.fault(1, 8000);
  std::vector<Spike> told = watcher.sweep();
  REQUIRE(told.size() == 1);
  CHECK(told[0].faults == 16'000);
  CHECK(told[0].open);
  CHECK(watcher.sweep().empty());
  told = watcher.sweep();
  REQUIRE(told.size() == 1);
  CHECK_FALSE(told[0].open);
  CHECK(watcher.sweep().empty());
}

TEST_CASE(
    "passing the absolute threshold is a spike though it be little more than usual, by minor or by major faults") {
  SpikeWatcher watcher = game(20'000);
  watcher.faults(24'000);
  CHECK(watcher.spikes.empty());
  watcher.faults(26'000);
  REQUIRE(watcher.spikes.size() == 1);
  CHECK(watcher.only().peakPerSecond == 52'000);

  SpikeWatcher disk;
  disk.scene.process(1);
  disk.steady(0, 30s, 60);
  disk.faults(0, 90);
  CHECK(disk.spikes.empty());
  disk.faults(0, 110);
  REQUIRE(disk.spikes.size() == 1);
  CHECK(disk.only().metric == ProcessMetric::MajorFaults);
  CHECK(disk.only().faults == 110);
  CHECK(disk.only().usualPerSecond == 120);
}

TEST_CASE("a trickle is not a spike, whatever its total") {
  for (const Nanoseconds interval : {10ms, 100ms, 500ms}) {
    INFO("interval " << interval / 1ms << " ms");
    SpikeWatcher watcher = game(0, interval);
    for (int flurry = 0; flurry < 100; ++flurry) {
      watcher.faults(450);
      watcher.steady(0, 1s - interval);
    }
    CHECK(watcher.spikes.empty());
  }
}

TEST_CASE("a lasting rate becomes the usual rate: one spike, not many") {
  SpikeWatcher watcher = game(100);
  watcher.steady(8000, 10min);
  REQUIRE(watcher.spikes.size() == 1);
  CHECK_FALSE(watcher.only().open);
  CHECK(watcher.only().end - watcher.only().start >= 60s);
  CHECK(watcher.only().end - watcher.only().start < 70s);
}

TEST_CASE("the first samples raise no spike") {
  SpikeWatcher watcher;
  watcher.scene.process(1);
  watcher.faults(1'000'000);
  CHECK(watcher.spikes.empty());
  watcher.steady(1500, 2s);
  watcher.faults(20'000);  // no past to compare with yet
  CHECK(watcher.spikes.empty());
}

TEST_CASE("a gigabyte is a spike from the second sample on") {
  SpikeWatcher watcher;
  watcher.scene.process(1);
  watcher.sweep();
  watcher.sweep();
  watcher.faults(262'144);
  REQUIRE(watcher.spikes.size() == 1);
  CHECK(watcher.only().faults == 262'144);
}

TEST_CASE("a burst in a late sample is a separate spike") {
  SpikeWatcher watcher = game(100);
  watcher.faults(8000);
  watcher.scene.fault(1, 60'000);
  watcher.sweepAfter(5s);
  REQUIRE(watcher.moment.gap == Gap::Late);
  watcher.steady(100, 5s);
  REQUIRE(watcher.spikes.size() == 2);
  CHECK_FALSE(watcher.only().open);
  CHECK(watcher.only().faults == 8000);
  CHECK(watcher.spikes[2].faults == 60'000);
  CHECK(watcher.spikes[2].end - watcher.spikes[2].start == 5s);
  watcher.scene.fault(1, 1000);  // the usual rate
  watcher.sweepAfter(5s);
  watcher.steady(100, 5s);
  CHECK(watcher.spikes.size() == 2);
}

TEST_CASE("gaps without rates raise no spike and end the current one") {
  SpikeWatcher watcher = game(100);
  watcher.faults(8000);
  REQUIRE(watcher.only().open);
  SECTION("suspended") {
    watcher.scene.now.suspended += 1h;
    watcher.scene.fault(1, 1'000'000);
    watcher.sweep();
    CHECK(watcher.moment.gap == Gap::Suspended);
  }
  SECTION("backwards") {
    watcher.scene.fault(1, 1'000'000);
    watcher.sweepAfter(-1s);
    CHECK(watcher.moment.gap == Gap::Backwards);
  }
  SECTION("first") {
    watcher.has = false;
    watcher.scene.fault(1, 1'000'000);
    watcher.sweep();
    CHECK(watcher.moment.gap == Gap::First);
  }
  REQUIRE(watcher.spikes.size() == 1);
  CHECK_FALSE(watcher.only().open);
  CHECK(watcher.only().faults == 8000);
}

TEST_CASE("the end of a process ends its spike") {
  SpikeWatcher watcher = game(100);
  watcher.faults(8000);
  REQUIRE(watcher.only().open);
  watcher.scene.death({1, 0});
  watcher.sweep();
  REQUIRE(watcher.spikes.size() == 1);
  CHECK_FALSE(watcher.only().open);
}

TEST_CASE("a process with a reused pid starts without a past") {
  SpikeWatcher watcher = game(100);
  watcher.scene.death({1, 0});
  watcher.scene.birth(1);
  watcher.steady(8000, 30s);  // would be a spike in the previous process
  CHECK(watcher.spikes.empty());
  watcher.faults(24'900);
  CHECK(watcher.spikes.empty());
  watcher.faults(26'000);
  REQUIRE(watcher.spikes.size() == 1);
  CHECK(watcher.only().usualPerSecond == 16'000);
}

TEST_CASE("a program that starts in a gap is treated as starting") {
  SpikeWatcher watcher = game(100);
  watcher.scene.birth(7);
  watcher.sweepAfter(5s);
  REQUIRE(watcher.moment.gap == Gap::Late);
  watcher.scene.fault(7, 15'000);
  watcher.sweep();
  CHECK(watcher.spikes.empty());
}

TEST_CASE("a burst after a long idle time is a spike") {
  SpikeWatcher watcher = game(0);
  watcher.steady(0, 10min);
  watcher.faults(4000);
  REQUIRE(watcher.spikes.size() == 1);
  CHECK(watcher.only().usualPerSecond == 0);
}

TEST_CASE("changed options apply to later bursts only") {
  SpikeWatcher watcher = game(1500);
  SpikeOptions options;
  options.leastFaults = 50'000;
  watcher.detector.setOptions(options);
  watcher.faults(15'000);
  watcher.steady(1500, 5s);
  CHECK(watcher.spikes.empty());
  options = {};
  options.minorPerSecond = 3500;
  watcher.detector.setOptions(options);
  watcher.faults(2000);
  REQUIRE(watcher.spikes.size() == 1);
  options.minorPerSecond = 1e9;
  watcher.detector.setOptions(options);
  watcher.faults(2000);
  CHECK(watcher.only().faults == 4000);
  watcher.steady(0, 2s);
  CHECK_FALSE(watcher.only().open);
  watcher.faults(2000);
  CHECK(watcher.spikes.size() == 1);
}

TEST_CASE("rates and thresholds may have any scale") {
  std::mt19937 random(5);
  std::lognormal_distribution<double> noise(6.0, 0.6);
  std::vector<std::uint64_t> faults;
  for (int i = 0; i < 4000; ++i) {
    const double factor = random() % 50 == 0 ? static_cast<double>(5 + random() % 40) : 1.0;
    faults.push_back(static_cast<std::uint64_t>(noise(random) * factor));
  }
  std::vector<Spike> expected;
  for (const std::uint64_t scale : {1, 2, 7, 64, 1000}) {
    SpikeOptions options;
    options.minorPerSecond *= static_cast<double>(scale);
    options.leastFaults *= scale;
    SpikeWatcher watcher(500ms, options);
    watcher.scene.process(1);
    for (const std::uint64_t count : faults) watcher.faults(count * scale);
    std::vector<Spike> found;
    found.reserve(watcher.spikes.size());
    for (const auto& [id, spike] : watcher.spikes) found.push_back(spike);
    if (scale == 1) expected = found;
    REQUIRE(expected.size() > 10);
    REQUIRE(found.size() == expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
      CHECK(found[i].start == expected[i].start);
      CHECK(found[i].peakTime == expected[i].peakTime);
      CHECK(found[i].end == expected[i].end);
      CHECK(found[i].faults == expected[i].faults * scale);
    }
  }
}
