#include "platform/sampling/synthetic/truth.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <cmath>
#include <map>

#include "platform/sampling/synthetic/roles.h"
#include "platform/sampling/synthetic/sampler.h"
#include "platform/sampling/synthetic/shapes.h"

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("each shape has the counts of its formula") {
  CHECK(steadyCount(700, 0s) == 0);
  CHECK(steadyCount(700, 1500ms) == 1050);
  CHECK(steadyCount(3, 24h * 365) == 94'608'000);
  CHECK(stepCount(10, 100, 10s, 5s) == 50);
  CHECK(stepCount(10, 100, 10s, 10s) == 550);
  CHECK(stepCount(10, 100, 10s, 17s) == 800);
  CHECK(burstCount(8192, 250ms, 7s, 125ms) == 4096);
  CHECK(burstCount(8192, 250ms, 7s, 6s) == 8192);
  CHECK(burstCount(8192, 250ms, 7s, 14s) == 16'384);
  CHECK(sineCount(100, 300, 10s, 10s) == 2000);                              // the mean, over a whole period
  CHECK(sineCount(100, 300, 10s, 5s) == 1000);                               // symmetric
  CHECK(sineCount(100, 300, 10s, 6s) - sineCount(100, 300, 10s, 4s) > 580);  // fastest in the middle
}

TEST_CASE("shapes never count backwards") {
  std::uint64_t sine = 0;
  std::uint64_t step = 0;
  std::uint64_t burst = 0;
  for (Nanoseconds t = 0s; t < 60s; t += 7ms) {
    const std::uint64_t nextSine = sineCount(1, 500, 9s, t);
    const std::uint64_t nextStep = stepCount(0, 90, 8s, t);
    const std::uint64_t nextBurst = burstCount(999, 333ms, 5s, t);
    REQUIRE((nextSine >= sine && nextStep >= step && nextBurst >= burst));
    sine = nextSine;
    step = nextStep;
    burst = nextBurst;
  }
}

TEST_CASE("the synthetic machine has valid snapshots at every tick") {
  SyntheticOptions options{.processes = 120};
  std::map<ProcessKey, ProcessValues> last;
  std::uint64_t lastFaults = 0;
  Snapshot snapshot;
  bool anyBorn = false;
  for (std::uint64_t tick = 0; tick < 400; ++tick) {
    syntheticSnapshot(options, tick, snapshot);
    CHECK(snapshot.time == options.start + static_cast<std::int64_t>(tick) * options.interval);
    std::map<ProcessKey, ProcessValues> now;
    for (const ProcessSample& process : snapshot.processes) {
      REQUIRE(now.emplace(process.key, process.values).second);
      const auto before = last.find(process.key);
      anyBorn = anyBorn || (tick > 0 && before == last.end());
      if (before == last.end()) continue;
      REQUIRE(process.values.get(ProcessMetric::MinorFaults) >= before->second.get(ProcessMetric::MinorFaults));
      REQUIRE(process.values.get(ProcessMetric::MajorFaults) >= before->second.get(ProcessMetric::MajorFaults));
    }
    REQUIRE(std::is_sorted(snapshot.processes.begin(), snapshot.processes.end(),
                           [](const auto& a, const auto& b) { return a.key < b.key; }));
    REQUIRE(snapshot.system.get(SystemMetric::Faults).value_or(0) >= lastFaults);
    lastFaults = *snapshot.system.get(SystemMetric::Faults);
    last = std::move(now);
  }
  CHECK(anyBorn);
}

TEST_CASE("the synthetic sampler equals syntheticSnapshot() at every tick, and a seed changes it") {
  const SyntheticOptions options{.processes = 30};
  SyntheticSampler sampler(options);
  Snapshot sampled;
  Snapshot expected;
  for (std::uint64_t tick = 0; tick < 20; ++tick) {
    REQUIRE(sampler.sample(sampled));
    syntheticSnapshot(options, tick, expected);
    REQUIRE(sampled == expected);
  }
  syntheticSnapshot({.processes = 30, .seed = 2}, 19, expected);
  CHECK(sampled.processes != expected.processes);
}

TEST_CASE("the synthetic sampler goes on from its last sample when its pace changes") {
  SyntheticOptions options{.processes = 30};
  SyntheticSampler sampler(options);
  Snapshot sampled;
  Snapshot expected;
  Nanoseconds t{0};
  REQUIRE(sampler.sample(sampled));
  for (const Nanoseconds interval : {500ms, 500ms, 50ms, 50ms, 50ms, 500ms, 200ms}) {
    sampler.pace(interval);
    options.interval = interval;
    t += interval;
    REQUIRE(sampler.sample(sampled));
    syntheticMachine(options, t, expected);
    REQUIRE(sampled == expected);
  }
}

TEST_CASE("faults of the machine are those of all processes, ended ones included") {
  const SyntheticOptions options{.processes = 20, .interval = 100ms};
  std::map<ProcessKey, std::uint64_t> first;
  std::map<ProcessKey, std::uint64_t> last;
  std::uint64_t before = 0;
  Snapshot snapshot;
  for (std::uint64_t tick = 0; tick <= 600; ++tick) {
    syntheticSnapshot(options, tick, snapshot);
    if (tick == 0) before = *snapshot.system.get(SystemMetric::Faults);
    for (const ProcessSample& process : snapshot.processes) {
      const std::uint64_t faults =
          *process.values.get(ProcessMetric::MinorFaults) + *process.values.get(ProcessMetric::MajorFaults);
      if (tick == 0) first[process.key] = faults;
      last[process.key] = faults;
    }
  }
  std::uint64_t sum = 0;
  for (const auto& [key, faults] : last) sum += faults - first[key];
  const std::uint64_t whole = *snapshot.system.get(SystemMetric::Faults) - before;
  CHECK(sum <= whole);  // what the short-lived did after their last sample is in the whole alone
  CHECK(sum > whole - whole / 50);
}

TEST_CASE("durations of faults are those of all faults of the machine, and never fall") {
  const SyntheticOptions options{.processes = 40, .interval = 100ms};
  FaultDurations before;
  Snapshot snapshot;
  for (std::uint64_t tick = 0; tick <= 600; ++tick) {
    syntheticSnapshot(options, tick, snapshot);
    REQUIRE(snapshot.faultDurations);
    const FaultDurations& now = *snapshot.faultDurations;
    REQUIRE(now.count() == snapshot.system.get(SystemMetric::Faults));
    REQUIRE(now.ns >= before.ns);
    REQUIRE(std::ranges::equal(before.faults, now.faults, std::ranges::less_equal()));
    before = now;
  }
  // 870 ns, 190 µs, and 263 µs for a large page.
  CHECK(before.count() == before.faults[3] + before.faults[11] + before.faults[12]);
  CHECK(before.ns == 870 * before.faults[3] + 190'000 * before.faults[11] + 263'014 * before.faults[12]);
  CHECK(before.faults[11] > 0);
  CHECK(before.faults[12] > 0);
}
