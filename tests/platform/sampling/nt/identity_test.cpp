// Which process of Windows is which, since when, and whose child.
#include "tests/platform/sampling/nt/scripted_sampler.h"

using namespace faultline;
using namespace std::chrono_literals;
using test::ScriptedSampler;

namespace {

constexpr std::uint64_t kSecond = 10'000'000;  // in 100 ns

}  // namespace

TEST_CASE("a process missing in the previous list started since, whatever the wall clock says") {
  for (const std::uint64_t created :
       {std::uint64_t{0}, std::uint64_t{1}, 3'600 * kSecond, 90'000 * kSecond, UINT64_MAX}) {
    CAPTURE(created);
    ScriptedSampler scripted;
    scripted.start();
    scripted.sample();
    const Nanoseconds before = scripted.clock.now().sinceEpoch;
    scripted.clock.tick(1s);
    auto child = scripted.windows.process(4096);
    child.pid = 5000;
    child.parent = 4096;
    child.createTime = created;
    child.faults = 700;
    child.hardFaults = 0;
    scripted.windows.processes.push_back(child);
    scripted.sample();
    const ProcessRow& row = scripted.row(5000);
    CHECK(row.born);
    CHECK(row.deltas.get(ProcessMetric::MinorFaults) == 700);
    CHECK(row.values.get(ProcessMetric::ParentPid) == 4096);
    CHECK(row.key.startTime >= static_cast<std::uint64_t>(before.count()));
    CHECK(row.key.startTime <= static_cast<std::uint64_t>((before + 1s).count()));
    scripted.clock.tick(1s);
    scripted.windows.process(5000).faults = 900;
    scripted.sample();
    CHECK(scripted.row(5000).key == row.key);
    CHECK_FALSE(scripted.row(5000).born);
    CHECK(scripted.row(5000).deltas.get(ProcessMetric::MinorFaults) == 200);
  }
}

TEST_CASE("start times count from boot, and are equal for all collectors") {
  ScriptedSampler scripted;
  scripted.start();
  scripted.sample();
  CHECK(scripted.of(4).key.startTime == 0);  // which was there before there was a time
  CHECK(scripted.of(4000).key.startTime == 1'900'000'000);
  CHECK(scripted.of(4096).key.startTime == 2'900'000'000);
  const Snapshot first = scripted.snapshot;
  scripted.clock.tick(17s);
  scripted.start();
  scripted.sample();
  for (std::size_t i = 0; i < 3; ++i) CHECK(scripted.snapshot.processes.at(i).key == first.processes.at(i).key);
}

TEST_CASE("without a boot time, start times come from the wall clock") {
  ScriptedSampler scripted;
  scripted.windows.bootTime.reset();
  const Nanoseconds wall = scripted.clock.wall().sinceEpoch - 5min;  // that long ago
  scripted.windows.process(4096).createTime = 116'444'736'000'000'000 + static_cast<std::uint64_t>(wall.count()) / 100;
  scripted.start();
  scripted.sample();
  CHECK(scripted.of(4096).key.startTime == static_cast<std::uint64_t>(Nanoseconds(1h - 5min).count()));
}

TEST_CASE("a reused pid is another process, also within one tick of the clock") {
  for (const std::uint64_t created : {30'000'001ULL, 29'000'000ULL}) {
    ScriptedSampler scripted;
    scripted.start();
    scripted.sample();
    const ProcessKey before = scripted.of(4096).key;
    scripted.windows.process(4096).createTime = created;
    scripted.windows.process(4096).faults = 60;
    scripted.sample();  // the clock has not moved
    CHECK(scripted.of(4096).key > before);
    const ProcessKey second = scripted.of(4096).key;
    scripted.windows.process(4096).createTime += 1;
    scripted.sample();
    CHECK(scripted.of(4096).key > second);
  }
}

TEST_CASE("a parent is reported while it lives, and only if it is older") {
  ScriptedSampler scripted;
  scripted.start();
  scripted.sample();
  CHECK_FALSE(scripted.of(4000).values.has(ProcessMetric::ParentPid));  // it has ended
  CHECK_FALSE(scripted.of(4).values.has(ProcessMetric::ParentPid));     // 0 is no process
  scripted.windows.process(4000).createTime = 50'000'000;               // the id is another's by now
  scripted.clock.tick(1s);
  scripted.sample();
  CHECK_FALSE(scripted.of(4096).values.has(ProcessMetric::ParentPid));
}
