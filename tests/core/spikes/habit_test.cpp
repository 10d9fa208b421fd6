// The limits between spike, habit and trickle.
#include <catch2/catch_test_macros.hpp>

#include "tests/core/spikes/watcher.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

TEST_CASE("a process that often exceeds the absolute threshold needs three times its habit for a spike") {
  SpikeWatcher watcher;
  watcher.scene.process(1);
  for (int turn = 0; turn < 40; ++turn) {
    watcher.steady(10'000, 2s);
    watcher.faults(30'000);  // 60 000/s
  }
  const std::size_t learning = watcher.spikes.size();
  watcher.faults(85'000);
  CHECK(watcher.spikes.size() == learning);
  watcher.steady(10'000, 2s);
  watcher.faults(95'000);
  REQUIRE(watcher.spikes.size() == learning + 1);
  CHECK(watcher.spikes.rbegin()->second.faults == 95'000);
}

TEST_CASE("a short rush followed by a trickle is not a spike, whatever its total") {
  SpikeWatcher watcher;
  watcher.scene.process(1);
  watcher.steady(0, 30s);
  watcher.faults(550);
  watcher.steady(300, 20s);
  CHECK(watcher.spikes.empty());

  watcher.steady(0, 90s);
  watcher.faults(550);
  watcher.steady(520, 4s);
  CHECK(watcher.spikes.size() == 1);
}

TEST_CASE("a fading burst is one spike down to half of its threshold") {
  SpikeWatcher watcher;
  watcher.scene.process(1);
  watcher.steady(100, 30s);
  const MonotonicTime before = watcher.scene.now.time;
  watcher.faults(8000);
  for (int i = 0; i < 6; ++i) watcher.faults(350);
  watcher.steady(100, 5s);
  REQUIRE(watcher.spikes.size() == 1);
  CHECK(watcher.only().faults == 8000 + 6 * 350);
  CHECK(watcher.only().end == before + 3500ms);
}
