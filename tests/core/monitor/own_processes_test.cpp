#include "core/monitor/own_processes.h"

#include <catch2/catch_test_macros.hpp>

#include "core/monitor/monitor.h"
#include "core/monitor/peak_causes.h"
#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint32_t kShell = 10;
constexpr std::uint32_t kWindow = 20;
constexpr std::uint32_t kCollector = 30;
constexpr std::uint32_t kWatcher = 40;
constexpr std::uint32_t kGame = 50;
constexpr std::uint32_t kNamesake = 60;  // of another user's shell

// A desktop with the window, its collector, a second one that watches a game, and a program that is only named so.
struct Desktop {
  explicit Desktop(const char* window = "faultline") {
    Hello hello = helloOf(500ms);
    hello.source = "sweep";
    hello.collectorPid = kCollector;
    monitor.ingest(hello);
    add(kShell, "bash", 1);
    add(kWindow, window, kShell);
    add(kCollector, "faultline-colle", kWindow);
    add(kWatcher, "faultline-colle", kWindow);
    add(kGame, "game", kWindow);
    add(kNamesake, "faultline-colle", kShell);
    for (int i = 0; i < 60; ++i) sweep();
  }
  void add(std::uint32_t pid, const char* name, std::uint32_t parent) {
    ProcessSample& process = scene.process(pid);
    process.name = name;
    process.values.set(ProcessMetric::ParentPid, parent);
  }
  void sweep() {
    scene.tick();
    scene.now.system.set(SystemMetric::Faults, machine);
    monitor.ingest(scene.now);
  }
  void burst(std::uint32_t pid, std::uint64_t faults) {
    scene.fault(pid, faults);
    machine += faults;
    sweep();
  }

  Scene scene;
  Monitor monitor;
  std::uint64_t machine = 0;
};

}  // namespace

TEST_CASE("Faultline's own bursts are no spikes, whoever of its processes has them, and a namesake's are") {
  Desktop desktop;
  for (const std::uint32_t pid : {kWindow, kCollector, kWatcher}) {
    desktop.burst(pid, 500'000);
    CHECK(desktop.monitor.isOwn({pid, 0}));
    CHECK(desktop.monitor.spikes().empty());
  }
  for (const std::uint32_t pid : {kShell, kGame, kNamesake}) {
    desktop.burst(pid, 500'000);
    CHECK_FALSE(desktop.monitor.isOwn({pid, 0}));
    CHECK(desktop.monitor.spikes().back().key.pid == pid);
  }
}

TEST_CASE("The window's experiments are Faultline's own, and the program is not that one of them becomes") {
  Desktop desktop;
  constexpr std::uint32_t kExperiment = 70, kWork = 71;
  desktop.add(kExperiment, "faultline-cli", kWindow);
  desktop.add(kWork, "faultline-cli", kExperiment);
  desktop.sweep();
  desktop.burst(kWork, 500'000);
  CHECK(desktop.monitor.isOwn({kExperiment, 0}));
  CHECK(desktop.monitor.spikes().empty());
  desktop.add(kWork, "game", kExperiment);
  desktop.sweep();
  desktop.burst(kWork, 500'000);
  CHECK_FALSE(desktop.monitor.isOwn({kWork, 0}));
  CHECK(desktop.monitor.spikes().size() == 1);
}

TEST_CASE("A command that records a command of Faultline does not leave it out") {
  Desktop desktop("faultline-cli");
  constexpr std::uint32_t kRecorded = 70;
  desktop.add(kRecorded, "faultline-cli", kWindow);
  desktop.sweep();
  desktop.burst(kRecorded, 500'000);
  CHECK(desktop.monitor.isOwn({kWindow, 0}));
  CHECK_FALSE(desktop.monitor.isOwn({kRecorded, 0}));
  CHECK(desktop.monitor.spikes().size() == 1);
}

TEST_CASE("a program that starts a collector is its own business unless it is Faultline") {
  Desktop desktop("bash");
  desktop.burst(kWindow, 500'000);
  CHECK(desktop.monitor.spikes().size() == 1);
  CHECK(desktop.monitor.isOwn({kCollector, 0}));
  CHECK_FALSE(desktop.monitor.isOwn({kWatcher, 0}));
}

TEST_CASE("Faultline's own faults are in its row, not in the sum of all, and not unattributed") {
  Desktop desktop;
  desktop.scene.fault(kCollector, 300);
  desktop.machine += 300;
  desktop.burst(kGame, 7);
  const Moment& now = desktop.monitor.now();
  CHECK(now.find({kCollector, 0})->deltas.get(ProcessMetric::MinorFaults) == 300);
  CHECK(now.find({kCollector, 0})->own);
  CHECK(now.processTotal.get(ProcessMetric::MinorFaults) == 7);
  CHECK(now.own.get(ProcessMetric::MinorFaults) == 300);
  CHECK(now.everyone().get(ProcessMetric::MinorFaults) == 307);
  CHECK(now.unattributed() == 0);
  CHECK(desktop.monitor.history().total(ProcessMetric::MinorFaults, now.time, now.time, 1).back().mean == 14);
}

TEST_CASE("Faultline is not among those who caused a peak") {
  Desktop desktop;
  desktop.scene.fault(kCollector, 30'000);
  desktop.burst(kGame, 7);
  const MonotonicTime peak = desktop.scene.now.time;
  const auto causes = peakCauses(desktop.monitor, ProcessMetric::MinorFaults, peak, peak);
  REQUIRE(causes.size() == 1);
  CHECK(causes[0].key.pid == kGame);
}

TEST_CASE("a process that reuses the pid of a collector that has ended is not Faultline") {
  Desktop desktop;
  desktop.scene.death({kWatcher, 0});
  const ProcessKey key = desktop.scene.birth(kWatcher).key;
  for (int i = 0; i < 60; ++i) desktop.sweep();
  desktop.burst(kWatcher, 500'000);
  CHECK(desktop.monitor.isOwn({kWatcher, 0}));
  CHECK_FALSE(desktop.monitor.isOwn(key));
  CHECK(desktop.monitor.spikes().size() == 1);
}

TEST_CASE("the invented processes of a synthetic stream are never Faultline, whatever their pids") {
  Desktop desktop;
  Hello hello = desktop.monitor.hello();
  hello.source = "synthetic";
  desktop.monitor.ingest(hello);
  desktop.sweep();
  desktop.burst(kCollector, 500'000);
  CHECK(desktop.monitor.now().processTotal.get(ProcessMetric::MinorFaults) == 500'000);
  CHECK(desktop.monitor.spikes().size() == 1);
}
