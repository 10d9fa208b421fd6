// The spike detector at starts and ends of programs: usual starts are ignored, ends are counted completely.
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/core/spikes/watcher.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

SpikeWatcher game(Nanoseconds interval = 500ms) {
  SpikeWatcher watcher(interval);
  watcher.scene.process(1).name = "game";
  watcher.steady(0, 30s);
  return watcher;
}

// Process 1 ends after this many more faults; the sweep sees its final totals.
std::vector<Spike> end(SpikeWatcher& watcher, std::uint64_t faults) {
  watcher.scene.fault(1, faults);
  watcher.scene.now.exited = {watcher.scene.process(1)};
  watcher.scene.death({1, 0});
  std::vector<Spike> told = watcher.sweep();
  watcher.scene.now.exited.clear();
  return told;
}

}  // namespace

TEST_CASE("in its first ten seconds a program may touch 60 MB at once, and no more") {
  for (const Nanoseconds age : {0s, 1s, 9s}) {
    for (const bool more : {false, true}) {
      CAPTURE(age / 1s, more);
      SpikeWatcher watcher;
      watcher.sweep();
      watcher.scene.birth(1);
      watcher.steady(0, age);
      watcher.faults(more ? 17'000 : 15'000);
      watcher.steady(0, 5s);
      CHECK(watcher.spikes.size() == (more ? 1 : 0));
    }
  }
}

TEST_CASE("a fresh process that loops over 64 MB for two seconds is one spike, at any interval") {
  for (const Nanoseconds interval : {100ms, 500ms, 1000ms}) {
    CAPTURE(interval / 1ms);
    SpikeWatcher watcher = game(interval);
    watcher.scene.birth(9);
    for (Nanoseconds span = 2s; span > 0s; span -= interval) {
      watcher.scene.fault(9, 16'384 * static_cast<std::uint64_t>(interval / 50ms));
      watcher.sweep();
    }
    for (Nanoseconds span = 5s; span > 0s; span -= interval) watcher.sweep();
    REQUIRE(watcher.spikes.size() == 1);
    CHECK(watcher.only().key.pid == 9);
    CHECK(watcher.only().faults == 16'384 * 40);
  }
}

TEST_CASE("a tenth of a second in faults at the start is a spike, with few faults, too") {
  for (const std::uint64_t ms : {90U, 130U}) {
    SpikeWatcher watcher = game();
    ProcessSample& fresh = watcher.scene.birth(9);
    fresh.values.set(ProcessMetric::MinorFaults, 500);
    fresh.values.set(ProcessMetric::FaultTime, ms * 1'000'000);
    watcher.sweep();
    watcher.steady(0, 3s);
    CHECK(watcher.spikes.size() == (ms > 100 ? 1 : 0));
  }
}

TEST_CASE("starts that cost what starts of the program usually do are no spikes; others are") {
  SpikeWatcher watcher = game();
  std::uint32_t pid = 100;
  const auto start = [&](const char* name, std::uint64_t faults) {
    const ProcessKey key = watcher.scene.birth(++pid).key;
    watcher.scene.process(key.pid, key.startTime).name = name;
    watcher.scene.fault(key.pid, faults);
    const std::size_t told = watcher.sweep().size();
    watcher.scene.death(key);
    watcher.steady(0, 2s);
    return told;
  };
  for (int i = 0; i < 5; ++i) CHECK(start("compiler", 40'000) == 1);  // nothing is usual yet
  for (int i = 0; i < 20; ++i) CHECK(start("compiler", 60'000) == 0);
  CHECK(start("compiler", 400'000) == 1);
  CHECK(start("compiler", 60'000) == 0);
  CHECK(start("another", 60'000) == 1);
}

TEST_CASE("short bursts are judged over half a second") {
  for (const Nanoseconds interval : {10ms, 50ms, 250ms}) {
    INFO("interval " << interval / 1ms << " ms");
    SpikeWatcher watcher = game(interval);
    for (int flurry = 0; flurry < 20; ++flurry) {
      watcher.faults(480);  // above 1000/s in a quarter of a second, below in half a second
      watcher.steady(0, 500ms - interval);
    }
    CHECK(watcher.spikes.empty());
  }
}

TEST_CASE("the last faults of a process that ends during its spike belong to the spike") {
  for (const Nanoseconds interval : {10ms, 100ms, 500ms}) {
    INFO("interval " << interval / 1ms << " ms");
    SpikeWatcher watcher = game(interval);
    const MonotonicTime before = watcher.scene.now.time;
    for (Nanoseconds span = 1s; span > 0s; span -= interval) watcher.faults(5000);
    REQUIRE(watcher.only().open);
    const std::vector<Spike> told = end(watcher, 3000);
    REQUIRE(told.size() == 1);
    CHECK(told[0].id == watcher.only().id);
    CHECK_FALSE(told[0].open);
    CHECK(told[0].faults == 5000 * static_cast<std::uint64_t>(1s / interval) + 3000);
    CHECK(told[0].start == before);
    CHECK(told[0].end == before + 1s + interval);
    CHECK(watcher.sweep().empty());
    CHECK(watcher.spikes.size() == 1);
  }
}

TEST_CASE("without final totals, the spike of a process has the faults seen so far") {
  SpikeWatcher watcher = game(100ms);
  for (int i = 0; i < 7; ++i) watcher.faults(2000);
  REQUIRE(watcher.only().faults == 10'000);  // as judged so far
  SECTION("its row is missing") {
    watcher.scene.death({1, 0});
    REQUIRE(watcher.sweep().size() == 1);
  }
  SECTION("a gap") {
    REQUIRE(watcher.sweepAfter(5s).size() == 1);
    CHECK(watcher.moment.gap == Gap::Late);
  }
  CHECK(watcher.only().faults == 14'000);
  CHECK_FALSE(watcher.only().open);
}

TEST_CASE("a quiet end of a process adds nothing to its spike") {
  SpikeWatcher watcher = game(100ms);
  for (int i = 0; i < 5; ++i) watcher.faults(2000);
  SECTION("told at its end") {
    REQUIRE(end(watcher, 100).size() == 1);
  }
  SECTION("never told") {
    watcher.faults(100);
    watcher.scene.death({1, 0});
    REQUIRE(watcher.sweep().size() == 1);
  }
  CHECK(watcher.only().faults == 10'000);
  CHECK_FALSE(watcher.only().open);
}

TEST_CASE("a burst at the end of a process is a spike") {
  for (const Nanoseconds interval : {10ms, 100ms, 500ms}) {
    INFO("interval " << interval / 1ms << " ms");
    SpikeWatcher watcher = game(interval);
    REQUIRE(end(watcher, 3000).size() == 1);
    CHECK(watcher.only().faults == 3000);
    CHECK(watcher.only().end - watcher.only().start == interval);
    CHECK_FALSE(watcher.only().open);
  }
  SpikeWatcher watcher = game(100ms);
  watcher.steady(200, 3min);
  CHECK(end(watcher, 2500).empty());  // twelve times the usual rate in the last sweep, but not in the last half second
}

TEST_CASE("touching a gigabyte at the start is a spike, at any interval and speed") {
  for (const Nanoseconds interval : {50ms, 500ms, 1000ms}) {
    for (const Nanoseconds length : {1s, 5s}) {
      INFO("interval " << interval / 1ms << " ms, in " << length / 1s << " s");
      SpikeWatcher watcher = game(interval);
      watcher.scene.birth(9);
      watcher.sweep();
      const auto each = 262'144 * static_cast<std::uint64_t>(interval / 1ms) / static_cast<std::uint64_t>(length / 1ms);
      for (Nanoseconds span = length; span > 0s; span -= interval) {
        watcher.scene.fault(9, each);
        watcher.sweep();
      }
      for (Nanoseconds span = 5s; span > 0s; span -= interval) watcher.sweep();
      REQUIRE(watcher.spikes.size() == 1);
      CHECK(watcher.only().key.pid == 9);
      CHECK(watcher.only().faults >= 255'000);
      CHECK_FALSE(watcher.only().open);
    }
  }
}

TEST_CASE("a busy start is not a spike afterwards") {
  SpikeWatcher watcher = game();
  watcher.scene.birth(9);
  for (int i = 0; i < 40; ++i) {
    watcher.sweep();
    watcher.scene.fault(9, i == 19 ? 9000 : 8000);
  }
  CHECK(watcher.spikes.empty());
}

TEST_CASE("a process that starts and ends between two sweeps is a spike only if it touched more than 64 MB") {
  const bool big = GENERATE(false, true);
  SpikeWatcher watcher = game();
  ProcessSample brief = watcher.scene.birth(9);
  watcher.scene.death(brief.key);
  brief.values.set(ProcessMetric::MinorFaults, big ? 17'000 : 15'000);
  watcher.scene.now.exited = {brief};
  CHECK(watcher.sweep().size() == (big ? 1 : 0));
  REQUIRE(watcher.moment.rows.size() == 2);
  CHECK((watcher.moment.rows[1].born && watcher.moment.rows[1].exited));
  watcher.scene.now.exited.clear();
  watcher.steady(0, 2s);
  CHECK(watcher.spikes.size() == (big ? 1 : 0));
}
