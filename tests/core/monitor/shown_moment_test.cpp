#include "core/monitor/shown_moment.h"

#include <catch2/catch_test_macros.hpp>

#include "core/monitor/monitor.h"
#include "tests/core/spikes/scene.h"

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("while sweeps come faster than usual, the moment to show is of the usual interval") {
  Monitor monitor;
  monitor.ingest(helloOf(500ms));
  Scene scene;
  const auto usual = [&](std::uint64_t faults) {
    scene.fault(1, faults);
    scene.tick();
    monitor.ingest(scene.now);
  };
  const auto fast = [&](std::uint64_t faults) {
    scene.now.system.set(SystemMetric::SweepInterval, 50'000'000);
    scene.fault(1, faults);
    scene.tick(50ms);
    monitor.ingest(scene.now);
    scene.now.exited.clear();
  };
  scene.process(1);
  usual(0);
  usual(30);
  const MonotonicTime before = monitor.now().time;
  CHECK(monitor.shown().time == before);

  for (int i = 0; i < 9; ++i) {
    if (i == 3) scene.birth(7);
    if (i == 4) scene.fault(7, 40);
    if (i == 5) {  // faults again, and ends
      scene.fault(7, 10);
      scene.now.exited = {scene.now.processes.back()};
      scene.now.processes.pop_back();
    }
    fast(i == 0 ? 100 : 1);
    CHECK(monitor.shown().time == before);
    CHECK(monitor.shown().processTotal.get(ProcessMetric::MinorFaults) == 30);
  }
  fast(1);
  const Moment& shown = monitor.shown();
  CHECK(shown.time == before + 500ms);
  CHECK(shown.interval == 500ms);
  CHECK(shown.gap == Gap::None);
  CHECK(shown.processTotal.get(ProcessMetric::MinorFaults) == 159);
  CHECK(shown.born == 1);
  CHECK(shown.died == 1);
  CHECK(monitor.now().interval == 50ms);
  CHECK(monitor.now().processTotal.get(ProcessMetric::MinorFaults) == 1);

  scene.now.system.clear(SystemMetric::SweepInterval);
  usual(5);
  CHECK(monitor.shown().time == monitor.now().time);
  CHECK(monitor.shown().processTotal.get(ProcessMetric::MinorFaults) == 5);

  fast(3);
  CHECK(monitor.shown().time < monitor.now().time);
  monitor.expectStep(60s);  // from here on snapshots are skipped
  fast(4);
  CHECK(monitor.shown().time == monitor.now().time);
}

}  // namespace faultline::test
