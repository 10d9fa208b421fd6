#include "core/monitor/monitor.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

#include "core/monitor/cost_text.h"
#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;
using Catch::Approx;

namespace {

struct Watching {
  explicit Watching(const MonitorOptions& options = {}) : monitor(options) {
    hello.machine.processors = 4;
    monitor.ingest(hello);
  }
  void sweep() {
    scene.tick();
    monitor.ingest(scene.now);
  }
  void sweeps(Nanoseconds span) {
    for (auto count = span / scene.interval; count > 0; --count) sweep();
  }
  void burst(std::uint32_t pid, std::uint64_t faults) {
    scene.fault(pid, faults);
    sweep();
  }

  Hello hello = helloOf(500ms);
  Scene scene;
  Monitor monitor;
};

}  // namespace

TEST_CASE("before the first snapshot the monitor is empty; after it there are values without rates") {
  Watching watching;
  const Monitor& monitor = watching.monitor;
  CHECK(monitor.now().rows.empty());
  CHECK(monitor.now().gap == Gap::First);
  CHECK(monitor.snapshots() == 0);
  watching.scene.process(1).values.set(ProcessMetric::MinorFaults, 70);
  watching.sweep();
  REQUIRE(monitor.now().rows.size() == 1);
  CHECK(monitor.now().rows[0].values.get(ProcessMetric::MinorFaults) == 70);
  CHECK_FALSE(monitor.now().rows[0].deltas.has(ProcessMetric::MinorFaults));
  CHECK(monitor.peak({1, 0}) == 0);
  CHECK_FALSE(monitor.collectorCpuShare());
  CHECK(monitor.snapshots() == 1);
}

TEST_CASE("a process's start by the wall clock stays where it is when the machine was suspended") {
  Watching watching;
  const ProcessKey key{1, 3'000'000'000};  // ns since boot, suspends included
  CHECK_FALSE(watching.monitor.startOf(key));
  watching.sweep();
  const Snapshot& now = watching.scene.now;
  const WallTime start{now.wallTime.sinceEpoch - now.time.sinceEpoch + 3s};
  CHECK(watching.monitor.startOf(key) == start);
  watching.scene.now.suspended = 1h;  // the monotonic clock stood still, the wall clock did not
  watching.scene.now.wallTime.sinceEpoch += 1h;
  watching.sweep();
  CHECK(watching.monitor.startOf(key) == start);
  CHECK_FALSE(watching.monitor.startOf({1, 0}));
}

TEST_CASE("a peak is the highest rate of minor faults so far") {
  Watching watching;
  watching.scene.process(1);
  watching.scene.process(2);
  watching.sweep();
  watching.scene.fault(1, 100, 7);
  watching.burst(2, 10);
  watching.scene.fault(1, 300, 2);
  watching.burst(2, 20);
  watching.sweep();
  CHECK(watching.monitor.peak({1, 0}) == 600);
  CHECK(watching.monitor.peak({2, 0}) == 40);
  CHECK(watching.monitor.peak({3, 0}) == 0);
}

TEST_CASE("a peak is kept for ten minutes after its process; a reused pid has its own") {
  Watching watching;
  watching.scene.process(5);
  watching.scene.process(9);
  watching.sweep();
  watching.burst(5, 1000);
  watching.scene.death({5, 0});
  const ProcessKey second = watching.scene.birth(5).key;
  watching.burst(5, 30);
  CHECK(watching.monitor.peak({5, 0}) == 2000);
  CHECK(watching.monitor.peak(second) == 60);
  watching.sweeps(9min);
  CHECK(watching.monitor.peak({5, 0}) == 2000);
  watching.sweeps(2min);
  CHECK(watching.monitor.peak({5, 0}) == 0);
  CHECK(watching.monitor.peak(second) == 60);
}

TEST_CASE("the collector's share of a core is its CPU time divided by the interval") {
  Watching watching;
  watching.scene.now.system.set(SystemMetric::CollectorCpu, 40'000'000);
  watching.sweep();
  CHECK_FALSE(watching.monitor.collectorCpuShare());
  watching.scene.now.system.set(SystemMetric::CollectorCpu, 45'000'000);
  watching.sweep();
  CHECK(watching.monitor.collectorCpuShare() == Approx(0.01));
  watching.scene.now.system.clear(SystemMetric::CollectorCpu);
  watching.sweep();
  CHECK_FALSE(watching.monitor.collectorCpuShare());
}

TEST_CASE("the collector's share of a core is over a second where sweeps come faster") {
  Watching watching;
  std::uint64_t used = 0;
  const auto sweep = [&](Nanoseconds cpu) {
    watching.scene.now.system.set(SystemMetric::SweepInterval, 50'000'000);
    watching.scene.now.system.set(SystemMetric::CollectorCpu, used += static_cast<std::uint64_t>(cpu.count()));
    watching.scene.tick(50ms);
    watching.monitor.ingest(watching.scene.now);
  };
  sweep(1ms);
  sweep(500us);
  CHECK(watching.monitor.collectorCpuShare() == Approx(0.01));
  for (int i = 0; i < 40; ++i) sweep(i % 2 == 0 ? 1500us : 500us);
  CHECK(watching.monitor.collectorCpuShare() == Approx(0.02));
}

TEST_CASE("the processes' total is the sum of their differences while processes start and end") {
  Watching watching;
  watching.scene.process(1).values.set(ProcessMetric::MinorFaults, 1'000'000);
  watching.scene.process(2).values.set(ProcessMetric::MinorFaults, 5000);
  watching.sweep();
  watching.scene.death({1, 0});  // a difference of sums would be negative
  watching.scene.birth(3);
  watching.scene.fault(3, 40);
  watching.burst(2, 7);
  const Moment& now = watching.monitor.now();
  CHECK(now.processTotal.get(ProcessMetric::MinorFaults) == 47);
  CHECK(now.born == 1);
  CHECK(now.died == 1);
  CHECK(watching.monitor.history().total(ProcessMetric::MinorFaults, now.time, now.time, 1).back().mean == Approx(94));
}

TEST_CASE("a counter that is 32 bits wide by Hello may wrap") {
  Watching watching;
  watching.hello.quality(ProcessMetric::MinorFaults).wrapBits = 32;
  watching.monitor.ingest(watching.hello);
  ProcessSample& sample = watching.scene.process(1);
  sample.values.set(ProcessMetric::MinorFaults, 0xffff'fff0);
  watching.sweep();
  sample.values.set(ProcessMetric::MinorFaults, 0x10);
  watching.sweep();
  CHECK(watching.monitor.now().processTotal.get(ProcessMetric::MinorFaults) == 0x20);
  CHECK(watching.monitor.peak({1, 0}) == 64);
  CHECK(watching.monitor.spikes().empty());
}

TEST_CASE("a heavy spike is kept while hundreds of light ones follow, and the newest are, too") {
  MonitorOptions options;
  options.keptSpikes = 20;
  Watching watching(options);
  watching.scene.process(1);
  watching.scene.process(2);
  watching.sweeps(20s);
  watching.burst(1, 262'144);
  for (int i = 0; i < 185; ++i) {
    watching.burst(2, 8700 + static_cast<std::uint64_t>(i % 7));
    watching.sweeps(6s);
  }
  const std::deque<Spike>& spikes = watching.monitor.spikes();
  REQUIRE(spikes.size() == 20);
  CHECK(spikes.front().faults == 262'144);
  for (std::size_t i = 1; i <= 10; ++i) CHECK(spikes[20 - i].id == 187 - i);
}

TEST_CASE("the number of kept spikes is limited: the oldest of equally heavy closed ones are dropped") {
  MonitorOptions options;
  options.keptSpikes = 3;
  Watching watching(options);
  watching.scene.process(1);
  watching.scene.process(2);
  watching.sweeps(20s);
  watching.burst(1, 10'000);
  REQUIRE(watching.monitor.spikesNow().size() == 1);
  // The first stays open while others begin and end.
  for (int i = 0; i < 5; ++i) {
    watching.scene.fault(1, 10'000);
    watching.burst(2, 10'000);
    for (int quiet = 0; quiet < 4; ++quiet) watching.burst(1, 10'000);
    CHECK(watching.monitor.spikes().front().id == 1);
  }
  const std::deque<Spike>& spikes = watching.monitor.spikes();
  REQUIRE(spikes.size() == 3);
  CHECK(spikes[0].id == 1);
  CHECK(spikes[0].open);
  CHECK(spikes[0].key.pid == 1);
  CHECK(spikes[0].faults == 260'000);
  CHECK(spikes[1].id == 5);
  CHECK(spikes[2].id == 6);
  CHECK_FALSE(spikes[2].open);
  watching.sweeps(2s);
  CHECK_FALSE(spikes[0].open);
  CHECK(watching.monitor.spikesNow().empty());
}

TEST_CASE("spike options apply from the next snapshot on, and after a reset") {
  Watching watching;
  watching.scene.process(1);
  SpikeOptions options;
  options.leastFaults = 100'000;
  watching.monitor.setSpikeOptions(options);
  watching.monitor.clear();
  watching.monitor.ingest(watching.hello);
  watching.sweeps(20s);
  watching.burst(1, 10'000);
  CHECK(watching.monitor.spikes().empty());
}

TEST_CASE("a new stream of the same machine has no rates at first and keeps the past") {
  Watching watching;
  watching.scene.process(1);
  watching.sweeps(20s);
  watching.burst(1, 10'000);
  const MonotonicTime first = *watching.monitor.history().oldest();
  watching.hello.interval = 100ms;
  watching.monitor.ingest(watching.hello);
  watching.scene.tick(30s);
  watching.scene.now.wallTime.sinceEpoch += 5s;  // the clock was adjusted slightly
  watching.burst(1, 10'000);
  CHECK(watching.monitor.now().gap == Gap::First);
  CHECK_FALSE(watching.monitor.now().processTotal.has(ProcessMetric::MinorFaults));
  CHECK(watching.monitor.history().oldest() == first);
  CHECK(watching.monitor.peak({1, 0}) == 20'000);
  REQUIRE(watching.monitor.spikes().size() == 1);
  CHECK_FALSE(watching.monitor.spikes()[0].open);
  CHECK(watching.monitor.hello().interval == 100ms);
}

TEST_CASE("a collector that tells its qualities anew goes on without a gap") {
  Watching watching;
  watching.hello.collectorPid = 7;
  watching.monitor.ingest(watching.hello);
  watching.scene.process(1);
  watching.sweeps(2s);
  watching.hello.quality(ProcessMetric::ZeroedBytes) = {.grade = Grade::Estimated, .how = "less", .enable = {}};
  watching.monitor.ingest(watching.hello);
  watching.burst(1, 10'000);
  CHECK(watching.monitor.now().gap != Gap::First);
  CHECK(watching.monitor.now().processTotal.has(ProcessMetric::MinorFaults));
  CHECK(watching.monitor.hello().quality(ProcessMetric::ZeroedBytes).how == "less");
}

TEST_CASE("a stream that cannot continue its predecessor clears everything") {
  Watching watching;
  watching.scene.process(1);
  watching.sweeps(20s);
  watching.burst(1, 10'000);
  SECTION("another machine") {
    watching.hello.machine.processors = 8;
  }
  SECTION("a clock that is behind: an earlier boot, or a recording's beginning") {
    watching.scene.now.time = {1min};
    watching.scene.now.wallTime.sinceEpoch -= 59min;
  }
  SECTION("another boot, by two minutes") {
    watching.scene.now.wallTime.sinceEpoch += 2min;
  }
  SECTION("a later boot that has been up for longer") {
    watching.scene.now.time = watching.scene.now.time + 5h;
    watching.scene.now.wallTime.sinceEpoch += 50h;
  }
  SECTION("an earlier boot that had been up for longer") {
    watching.scene.now.time = watching.scene.now.time + 5h;
    watching.scene.now.wallTime.sinceEpoch -= 50h;
  }
  watching.monitor.ingest(watching.hello);
  watching.sweep();
  CHECK(watching.monitor.snapshots() == 1);
  CHECK(watching.monitor.spikes().empty());
  CHECK(watching.monitor.peak({1, 0}) == 0);
  CHECK(watching.monitor.history().oldest() == watching.scene.now.time);
}

TEST_CASE("suspend between two streams is not a reboot") {
  Watching watching;
  watching.scene.process(1);
  watching.sweeps(5s);
  const MonotonicTime first = *watching.monitor.history().oldest();
  watching.monitor.ingest(watching.hello);
  watching.scene.now.suspended += 8h;
  watching.scene.now.wallTime.sinceEpoch += 8h;
  watching.sweep();
  CHECK(watching.monitor.history().oldest() == first);
}

namespace {

Calibration calibrated(double nsPerFault) {
  Calibration calibration;
  calibration.touch = {.median = nsPerFault, .low = nsPerFault, .high = nsPerFault};
  return calibration;
}

}  // namespace

TEST_CASE("where fault time is not measured, a calibration estimates it from counts, and says so") {
  Watching watching;
  watching.hello.quality(ProcessMetric::FaultTime) = unavailable("no permission", "ask");
  watching.monitor.ingest(watching.hello);
  watching.monitor.setCalibration(calibrated(500), {"the system is another"});
  watching.scene.process(1);
  watching.sweep();
  watching.burst(1, 4000);
  const Monitor& monitor = watching.monitor;
  CHECK(monitor.now().rows[0].deltas.get(ProcessMetric::FaultTime) == 2'000'000);
  CHECK(monitor.now().processTotal.get(ProcessMetric::FaultTime) == 2'000'000);
  const Quality& quality = monitor.hello().quality(ProcessMetric::FaultTime);
  CHECK(quality.grade == Grade::Estimated);
  CHECK(quality.how.find("The calibration is old: the system is another") != std::string::npos);
  CHECK(quality.how.find("Not measured: no permission") != std::string::npos);
  CHECK(quality.enable == "ask");
  CHECK(monitor.calibrationRemarks() == std::vector<std::string>{"The calibration is old: the system is another."});
  CHECK(costText("game", *monitor.cost({1, 0}), monitor.hello()) == "game: ≈ 2.00 ms in 4\u202f000 page faults");
}

TEST_CASE("estimated fault time makes no spikes of its own, nor when a recording of it is shown") {
  enum class Shown { Counts, Estimates, Recording, Measured };
  const auto spikes = [](Shown shown) {
    Watching watching;
    Monitor recorder;
    const bool live = shown == Shown::Estimates;
    for (const ProcessMetric metric : {ProcessMetric::FaultTime, ProcessMetric::TimedFaults})
      watching.hello.quality(metric) = unavailable("no permission");
    for (Monitor* monitor : {&watching.monitor, &recorder}) monitor->ingest(watching.hello);
    recorder.setCalibration(calibrated(1e6), {});
    if (live) watching.monitor.setCalibration(calibrated(1e6), {});
    const bool kept = shown == Shown::Recording || shown == Shown::Measured;
    Hello hello = kept ? recorder.hello() : watching.hello;
    if (shown == Shown::Measured) hello.quality(ProcessMetric::TimedFaults) = exact("BPF");
    if (kept) watching.monitor.ingest(hello);
    const auto sweeps = [&](int count) {
      for (; count > 0; --count) {
        watching.scene.tick();
        watching.monitor.ingest(kept ? recorder.estimated(watching.scene.now) : watching.scene.now);
      }
    };
    watching.scene.process(1);
    sweeps(40);
    watching.scene.fault(1, 1500);  // below the least count
    sweeps(7);
    return watching.monitor.spikes().size();
  };
  CHECK(spikes(Shown::Counts) == 0);
  CHECK(spikes(Shown::Estimates) == 0);
  CHECK(spikes(Shown::Recording) == 0);
  CHECK(spikes(Shown::Measured) == 1);  // the same time would be one
}

TEST_CASE("a recording keeps the estimates of the machine that made it") {
  Watching watching;
  watching.hello.quality(ProcessMetric::FaultTime) = unavailable("no permission");
  watching.monitor.ingest(watching.hello);
  watching.scene.process(1);
  watching.burst(1, 4000);
  CHECK(watching.monitor.estimated(watching.scene.now) == watching.scene.now);
  watching.monitor.setCalibration(calibrated(500), {});
  const Snapshot kept = watching.monitor.estimated(watching.scene.now);
  CHECK(kept.processes[0].values.get(ProcessMetric::FaultTime) ==
        500 * *kept.processes[0].values.get(ProcessMetric::MinorFaults));
}

TEST_CASE("measured fault time is preferred to a calibration, which is compared with it") {
  Watching watching;
  watching.hello.machine.pageBytes = 4096;
  watching.hello.quality(ProcessMetric::FaultTime) = exact("BPF");
  watching.monitor.ingest(watching.hello);
  watching.monitor.setCalibration(calibrated(500), {});
  watching.scene.process(1);
  const auto measure = [&](std::uint64_t faults, std::uint64_t ns) {
    ProcessValues& values = watching.scene.process(1).values;
    values.set(ProcessMetric::MinorFaults, values.get(ProcessMetric::MinorFaults).value_or(0) + faults);
    for (const auto& [metric, more] : {std::pair{ProcessMetric::TimedFaults, faults},
                                       {ProcessMetric::FaultTime, ns},
                                       {ProcessMetric::FaultTimeOnProcessor, ns},
                                       {ProcessMetric::ZeroedBytes, faults * 4096}})
      values.set(metric, values.get(metric).value_or(0) + more);
    watching.sweep();
  };
  measure(1, 900);
  measure(30'000, 30'000 * 900);
  CHECK(watching.monitor.now().rows[0].deltas.get(ProcessMetric::FaultTime) == 27'000'000);
  CHECK(watching.monitor.hello().quality(ProcessMetric::FaultTime).grade == Grade::Exact);
  const auto remarks = watching.monitor.calibrationRemarks();
  REQUIRE(remarks.size() == 1);
  CHECK(remarks[0].starts_with("Measured faults take 1.8 times what the calibration says."));
}

TEST_CASE("a calibration does not outlive its machine") {
  Watching watching;
  watching.monitor.setCalibration(calibrated(500), {});
  CHECK(watching.monitor.calibration() != nullptr);
  watching.monitor.ingest(watching.hello);
  CHECK(watching.monitor.calibration() != nullptr);
  watching.hello.machine.processors = 5;
  watching.monitor.ingest(watching.hello);
  CHECK(watching.monitor.calibration() == nullptr);
  CHECK(watching.monitor.calibrationRemarks().empty());
}

TEST_CASE("where snapshots are skipped, rates are exact averages without gaps, and nothing is a spike") {
  MonitorOptions options;
  options.findsSpikes = false;
  Watching watching(options);
  watching.hello.collectorPid = 42;
  watching.monitor.ingest(watching.hello);
  watching.scene.process(1);
  const Monitor& monitor = watching.monitor;
  watching.monitor.expectStep(60s);
  CHECK(monitor.hello().interval == 60s);
  const auto minute = [&](std::uint64_t faults) {
    watching.scene.fault(1, faults);
    watching.scene.tick(60s);
    watching.monitor.ingest(watching.scene.now);
  };
  minute(0);
  for (int i = 0; i < 5; ++i) minute(600);
  watching.monitor.ingest(watching.hello);  // of the same collector
  CHECK(monitor.hello().interval == 60s);
  minute(60'000'000);  // far above each threshold
  CHECK(monitor.now().gap == Gap::None);
  CHECK_FALSE(monitor.now().brief);
  CHECK(monitor.now().perSecond(monitor.now().rows[0].deltas.get(ProcessMetric::MinorFaults)) == 1'000'000.0);
  CHECK(monitor.spikes().empty());
  const MonotonicTime end = monitor.now().time;
  const auto buckets = monitor.history().process({1, 0}, ProcessMetric::MinorFaults, end - 4min, end, 100);
  REQUIRE(buckets.size() == 5);
  CHECK(buckets.back().mean == 1'000'000);
  for (std::size_t i = 1; i < buckets.size(); ++i) CHECK_FALSE(buckets[i].gapBefore);
  watching.monitor.expectStep(std::nullopt);  // from here on nothing is skipped
  CHECK(monitor.hello().interval == 500ms);
  watching.burst(1, 300);
  CHECK(monitor.now().gap == Gap::None);
  CHECK_FALSE(monitor.now().brief);
  minute(0);
  CHECK(monitor.now().gap == Gap::Late);
  CHECK(monitor.spikes().empty());
}
