#include "core/history/rates.h"

#include <catch2/catch_test_macros.hpp>
#include <random>

#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

// Derives moments from the scene's snapshots one by one, as Monitor does.
struct Reader {
  const Moment& take(const Snapshot& snapshot) {
    derive(hello, has ? &previous : nullptr, snapshot, moment);
    previous = snapshot;
    has = true;
    return moment;
  }
  std::optional<std::uint64_t> minor(std::uint32_t pid) const {
    for (const ProcessRow& row : moment.rows) {
      if (row.key.pid == pid) return row.deltas.get(ProcessMetric::MinorFaults);
    }
    return std::nullopt;
  }

  Hello hello = helloOf(500ms);
  Snapshot previous;
  bool has = false;
  Moment moment;
};

}  // namespace

TEST_CASE("A counter that wraps at 32 bits has the true difference; a counter that goes backwards has none") {
  CHECK(counterDelta(5, 12, 64) == 7);
  CHECK(counterDelta(12, 5, 64) == std::nullopt);
  CHECK(counterDelta(0xffff'fff0, 0x10, 32) == 0x20);
  CHECK(counterDelta(0xffff'ffff, 0, 32) == 1);
  CHECK(counterDelta(1000, 999, 32) == std::nullopt);
  CHECK(counterDelta(0x8000'0001, 0, 32) == 0x7fff'ffff);
  CHECK(counterDelta(0x8000'0000, 0, 32) == std::nullopt);
  CHECK(counterDelta(0, 0xffff'ffff, 32) == 0xffff'ffff);
  CHECK(counterDelta(7, 3, 0) == std::nullopt);
}

TEST_CASE("Each metric has its own width at which its counter wraps") {
  Scene scene;
  Reader reader;
  reader.hello.quality(ProcessMetric::MinorFaults).wrapBits = 32;
  ProcessSample& sample = scene.process(1);
  sample.values.set(ProcessMetric::MinorFaults, 0xffff'ffff);
  sample.values.set(ProcessMetric::MajorFaults, 0xffff'ffff);
  reader.take(scene.now);
  scene.tick();
  sample.values.set(ProcessMetric::MinorFaults, 4);
  sample.values.set(ProcessMetric::MajorFaults, 4);
  const Moment& moment = reader.take(scene.now);
  CHECK(moment.rows.at(0).deltas.get(ProcessMetric::MinorFaults) == 5);
  CHECK(moment.rows.at(0).deltas.get(ProcessMetric::MajorFaults) == std::nullopt);
}

TEST_CASE("The first snapshot has levels but no differences") {
  Scene scene;
  scene.process(1).values.set(ProcessMetric::CommitBytes, 4096);
  scene.fault(1, 100);
  Reader reader;
  const Moment& moment = reader.take(scene.now);
  CHECK(moment.gap == Gap::First);
  CHECK(moment.interval == 0ns);
  CHECK(moment.rows.at(0).values.get(ProcessMetric::CommitBytes) == 4096);
  CHECK(reader.minor(1) == std::nullopt);
  CHECK_FALSE(moment.rows.at(0).born);
  CHECK(moment.processTotal.get(ProcessMetric::MinorFaults) == std::nullopt);
}

TEST_CASE("Gauges and absent counters have no difference") {
  Scene scene;
  scene.process(1).values.set(ProcessMetric::CommitBytes, 4096);
  scene.process(1).values.clear(ProcessMetric::MajorFaults);
  Reader reader;
  reader.take(scene.now);
  scene.tick();
  scene.process(1).values.set(ProcessMetric::MajorFaults, 3);
  const Moment& moment = reader.take(scene.now);
  CHECK(moment.rows.at(0).deltas.get(ProcessMetric::CommitBytes) == std::nullopt);
  CHECK(moment.rows.at(0).deltas.get(ProcessMetric::MajorFaults) == std::nullopt);
  CHECK(reader.minor(1) == 0);
}

TEST_CASE("The difference of a process born in between is its whole counter") {
  Scene scene;
  scene.process(1);
  Reader reader;
  reader.take(scene.now);
  scene.tick(3ms);
  scene.birth(7);
  scene.fault(7, 250);
  scene.tick(497ms);
  const Moment& moment = reader.take(scene.now);
  CHECK(reader.minor(7) == 250);
  CHECK(moment.born == 1);
  CHECK(moment.processTotal.get(ProcessMetric::MinorFaults) == 250);
}

TEST_CASE("An older process that becomes visible has no differences at first") {
  Scene scene;
  scene.process(1);
  Reader reader;
  reader.take(scene.now);
  scene.process(7, static_cast<std::uint64_t>((scene.now.time.sinceEpoch - 30s).count()));
  scene.fault(7, 250);
  scene.tick();
  CHECK(reader.take(scene.now).born == 0);
  CHECK(reader.minor(7) == std::nullopt);
  scene.fault(7, 3);
  scene.tick();
  reader.take(scene.now);
  CHECK(reader.minor(7) == 3);
}

TEST_CASE("Births are detected by the clock of start times, which counts sleep") {
  Scene scene;
  scene.now.suspended = 8h;
  scene.process(1);
  Reader reader;
  reader.take(scene.now);
  scene.process(7, static_cast<std::uint64_t>(std::chrono::nanoseconds(scene.now.time.sinceEpoch).count()));
  scene.fault(7, 99);
  scene.birth(8);
  scene.fault(8, 5);
  scene.tick();
  reader.take(scene.now);
  CHECK(reader.minor(7) == std::nullopt);
  CHECK(reader.minor(8) == 5);
}

TEST_CASE("A birth may seem older than the previous sweep by a tick and the clocks' jitter, but no more") {
  Scene scene;
  Reader reader;
  scene.process(7);
  reader.take(scene.now);
  const auto swept = static_cast<std::uint64_t>(scene.now.time.sinceEpoch.count());
  const auto most = static_cast<std::uint64_t>(Nanoseconds(20ms).count());
  scene.tick();
  scene.process(1, swept - most);
  scene.process(2, swept - most - 1);
  scene.death({7, 0});
  const Moment& moment = reader.take(scene.now);
  CHECK(moment.rows.at(0).born);
  CHECK_FALSE(moment.rows.at(1).born);
  CHECK(moment.born == 1);
  CHECK(moment.died == 1);  // the last by its key
}

TEST_CASE("Jitter of a clock is no sleep, and a stream without an interval is never late") {
  Scene scene;
  Reader reader;
  reader.hello.interval = 0ns;
  reader.take(scene.now);
  scene.now.suspended += 10ms;
  scene.tick(1h);
  CHECK(reader.take(scene.now).gap == Gap::None);
  scene.now.suspended += 100ms;
  scene.tick();
  CHECK(reader.take(scene.now).gap == Gap::Suspended);
}

TEST_CASE("A pid reused within one tick is another process") {
  Scene scene;
  scene.birth(7);
  const ProcessKey first = scene.now.processes.at(0).key;
  scene.fault(7, 1000);
  Reader reader;
  reader.take(scene.now);
  scene.death(first);
  scene.process(7, first.startTime + 1);
  scene.fault(7, 40);
  scene.tick();
  const Moment& moment = reader.take(scene.now);
  CHECK(reader.minor(7) == 40);
  CHECK(moment.born == 1);
  CHECK(moment.died == 1);
}

TEST_CASE("The total is the sum of differences, so a death takes nothing away from it") {
  Scene scene;
  scene.process(1);
  scene.process(2);
  scene.process(3);
  scene.fault(2, 1'000'000);
  Reader reader;
  reader.take(scene.now);
  scene.death({2, 0});
  scene.fault(1, 10);
  scene.fault(3, 20);
  scene.tick();
  const Moment& moment = reader.take(scene.now);
  CHECK(moment.processTotal.get(ProcessMetric::MinorFaults) == 30);
  CHECK(moment.died == 1);
}

TEST_CASE("Rows that are used again equal new ones, whatever idled, changed, began or ended in their place") {
  std::minstd_rand random;
  Scene scene;
  Reader reader;
  std::uint32_t pids = 0;
  std::size_t idle = 0;
  for (int sweep = 0; sweep < 400; ++sweep) {
    if (random() % 3 == 0) scene.process(++pids);
    auto& processes = scene.now.processes;
    if (processes.size() > 8) processes.erase(processes.begin() + static_cast<std::ptrdiff_t>(random() % 8));
    for (ProcessSample& process : processes) {
      const auto metric = static_cast<ProcessMetric>(random() % kProcessMetricCount);
      if (random() % 4 == 0) process.values.set(metric, random() % 1000);
      else if (random() % 8 == 0) process.values.clear(metric);
    }
    Moment fresh;
    fresh.zeroing = reader.moment.zeroing;
    derive(reader.hello, reader.has ? &reader.previous : nullptr, scene.now, fresh);
    const Moment& moment = reader.take(scene.now);
    REQUIRE(moment.rows == fresh.rows);
    REQUIRE(moment.processTotal == fresh.processTotal);
    for (const ProcessRow& row : moment.rows) {
      if (row.idle) REQUIRE(row.deltas.zero());
      idle += row.idle ? 1 : 0;
    }
    scene.tick();
  }
  CHECK(idle > 100);
}

TEST_CASE("Late, suspended and backward snapshots are distinguished") {
  Scene scene;
  scene.process(1);
  Reader reader;
  reader.take(scene.now);

  scene.fault(1, 10);
  scene.tick(1500ms);
  CHECK(reader.take(scene.now).gap == Gap::None);
  scene.fault(1, 10);
  scene.tick(1501ms);
  CHECK(reader.take(scene.now).gap == Gap::Late);
  CHECK(reader.minor(1) == 10);

  scene.fault(1, 10);
  scene.tick();
  scene.now.suspended += 1h;
  CHECK(reader.take(scene.now).gap == Gap::Suspended);
  CHECK(reader.minor(1) == 10);
  CHECK(reader.moment.interval == 500ms);

  scene.fault(1, 10);
  const Moment& still = reader.take(scene.now);
  CHECK(still.gap == Gap::Backwards);
  CHECK(still.interval == 0ns);
  CHECK(reader.minor(1) == std::nullopt);
  CHECK(still.perSecond(5) == std::nullopt);

  scene.tick(-2s);
  CHECK(reader.take(scene.now).gap == Gap::Backwards);
}

TEST_CASE("Rates are per second of the measured interval, not of the nominal interval") {
  Scene scene;
  scene.process(1);
  Reader reader;
  reader.take(scene.now);
  scene.fault(1, 100);
  scene.tick(400ms);
  const Moment& moment = reader.take(scene.now);
  CHECK(moment.perSecond(reader.minor(1)) == 250.0);
  CHECK(moment.perSecond(std::nullopt) == std::nullopt);
  CHECK(moment.find({1, 0}) == moment.rows.data());
  CHECK(moment.find({1, 1}) == nullptr);
}

TEST_CASE("A process that ended in between has a last row with final totals, and is counted once") {
  Scene scene;
  Reader reader;
  scene.process(1);
  scene.process(2);
  scene.fault(2, 100);
  reader.take(scene.now);
  scene.tick();
  ProcessSample brief = scene.birth(3);
  scene.death(brief.key);
  brief.values.set(ProcessMetric::MinorFaults, 70);
  scene.fault(2, 11);
  ProcessSample ended = scene.process(2);
  scene.death(ended.key);
  scene.now.exited = {ended, brief};

  const Moment& moment = reader.take(scene.now);
  REQUIRE(moment.rows.size() == 3);
  CHECK_FALSE(moment.rows[0].exited);
  CHECK(moment.rows[1].exited);
  CHECK((moment.rows[2].exited && moment.rows[2].born));
  CHECK(reader.minor(2) == 11);
  CHECK(reader.minor(3) == 70);
  CHECK(moment.processTotal.get(ProcessMetric::MinorFaults) == 81);
  CHECK(moment.died == 2);
  CHECK(moment.born == 1);

  scene.now.exited.clear();
  scene.tick();
  reader.take(scene.now);
  CHECK(moment.rows.size() == 1);
  CHECK(moment.died == 0);
}

TEST_CASE("The fault time of a process that has faulted only before faults were timed is unknown, not zero") {
  Scene scene;
  const auto add = [&](std::uint32_t pid, std::uint64_t faults, std::uint64_t timed, std::uint64_t ns) {
    ProcessSample& sample = scene.process(pid);
    sample.values.set(ProcessMetric::MinorFaults, faults);
    sample.values.set(ProcessMetric::TimedFaults, timed);
    sample.values.set(ProcessMetric::FaultTime, ns);
  };
  add(1, 100, 0, 0);
  add(2, 100, 7, 9000);
  add(3, 0, 0, 0);
  Moment moment;
  derive(helloOf(500ms), nullptr, scene.now, moment);
  CHECK_FALSE(moment.rows.at(0).values.has(ProcessMetric::FaultTime));
  CHECK(moment.rows.at(1).values.get(ProcessMetric::FaultTime) == 9000);
  CHECK(moment.rows.at(2).values.get(ProcessMetric::FaultTime) == 0);
}

TEST_CASE("Durations of faults have differences between two snapshots that tell them, and none across two collectors") {
  Scene scene;
  Reader reader;
  const auto grown = [&](std::optional<std::uint64_t> shorter, std::uint64_t longer) {
    scene.now.faultDurations.reset();
    if (shorter) {
      FaultDurations& durations = scene.now.faultDurations.emplace();
      durations.faults[3] = *shorter;
      durations.faults.back() = longer;
      durations.ns = 1000 * *shorter + 10'000'000'000 * longer;
    }
    const auto result = reader.take(scene.now).faultDurations;
    scene.tick();
    return result;
  };
  CHECK_FALSE(grown(100, 1));  // no predecessor
  const auto more = grown(150, 3);
  REQUIRE(more);
  CHECK(more->faults[3] == 50);
  CHECK(more->faults.back() == 2);
  CHECK(more->ns == 20'000'050'000);
  CHECK(more->count() == 52);
  CHECK_FALSE(grown({}, 0));
  CHECK_FALSE(grown(200, 3));
  CHECK(grown(200, 3) == FaultDurations());
  CHECK_FALSE(grown(201, 2));  // one count fell
  CHECK(grown(202, 2)->count() == 1);
}

TEST_CASE("A sample is late or brief by the interval that was planned for it") {
  Scene scene;
  scene.process(1);
  Reader reader;
  const auto after = [&](Nanoseconds step, Nanoseconds planned) {
    scene.now.system.set(SystemMetric::SweepInterval, static_cast<std::uint64_t>(planned.count()));
    scene.fault(1, 10);
    scene.tick(step);
    return reader.take(scene.now);
  };
  after(500ms, 500ms);
  CHECK_FALSE(after(50ms, 50ms).brief);
  CHECK(reader.moment.perSecond(reader.minor(1)) == 200.0);
  CHECK(after(500ms, 500ms).gap == Gap::None);
  CHECK(after(200ms, 50ms).gap == Gap::Late);
  CHECK(after(50ms, 500ms).brief);
  CHECK(after(9ms, 50ms).brief);
  CHECK(plannedInterval(reader.hello, scene.now.system) == 50ms);
  CHECK(plannedInterval(reader.hello, {}) == 500ms);
}

TEST_CASE("Where snapshots are skipped, the interval that one tells is not that to the one before") {
  Scene scene;
  scene.process(1);
  scene.now.system.set(SystemMetric::SweepInterval, 50'000'000);
  const Snapshot first = scene.now;
  scene.tick(10s);
  Moment moment;
  derive(helloOf(500ms), &first, scene.now, moment, {}, 10s);
  CHECK(moment.gap == Gap::None);
  derive(helloOf(500ms), &first, scene.now, moment, {}, 0s);
  CHECK(moment.gap == Gap::None);
  derive(helloOf(500ms), &first, scene.now, moment);
  CHECK(moment.gap == Gap::Late);
}
