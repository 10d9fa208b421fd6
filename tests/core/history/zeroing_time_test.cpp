// Zeroing time, the only metric that readers derive.
#include <catch2/catch_test_macros.hpp>

#include "core/history/rates.h"
#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t kKib = 1024;

Snapshot zeroed(Nanoseconds time, std::uint64_t all, std::uint64_t large) {
  Scene scene;
  scene.now.time = {time};
  ProcessSample& sample = scene.process(1);
  sample.values.set(ProcessMetric::ZeroedBytes, all);
  sample.values.set(ProcessMetric::ZeroedLargeBytes, large);
  return scene.now;
}

std::optional<std::uint64_t> timeOf(const ProcessValues& values) {
  return values.get(ProcessMetric::ZeroingTime);
}

}  // namespace

TEST_CASE("Zeroing time is bytes times the cost on the machine that measured") {
  const Snapshot before = zeroed(1h, 8 * kKib, 0);
  const Snapshot after = zeroed(1h + 500ms, (8 + 16 + 2048) * kKib, 2048 * kKib);
  Hello hello = helloOf(500ms);
  Moment moment;
  derive(hello, nullptr, before, moment);
  CHECK_FALSE(timeOf(moment.rows.at(0).values));  // no cost, no time

  hello.zeroingCost = {.smallNsPerKib = 100, .largeNsPerKib = 10};
  derive(hello, &before, after, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 16 * 100 + 2048 * 10);
  CHECK(timeOf(moment.rows.at(0).values) == 24 * 100 + 2048 * 10);
  CHECK(timeOf(moment.processTotal) == 16 * 100 + 2048 * 10);
}

TEST_CASE("Large folios count as at most all zeroed memory, even if a stream claims more") {
  Hello hello = helloOf(500ms);
  hello.zeroingCost = {.smallNsPerKib = 100, .largeNsPerKib = 10};
  Moment moment;
  derive(hello, nullptr, zeroed(1h, 8 * kKib, 9 * kKib), moment);
  CHECK(timeOf(moment.rows.at(0).values) == 8 * 10);
}

TEST_CASE("Zeroing takes no longer than the faults that asked for the memory, unless they were too few for it") {
  Snapshot before = zeroed(1h, 0, 0);
  Snapshot after = zeroed(1h + 500ms, 400 * kKib, 0);
  const auto faults = [](Snapshot& snapshot, std::uint64_t count, std::uint64_t ns) {
    snapshot.processes.at(0).values.set(ProcessMetric::TimedFaults, count);
    snapshot.processes.at(0).values.set(ProcessMetric::FaultTime, ns);
  };
  Hello hello = helloOf(500ms);
  hello.zeroingCost = {.smallNsPerKib = 100, .largeNsPerKib = 10};
  Moment moment;
  faults(before, 0, 0);
  faults(after, 100, 12'000);
  derive(hello, &before, after, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 12'000);
  faults(after, 100, 90'000);
  derive(hello, &before, after, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 40'000);
  faults(after, 1, 700);  // populated
  derive(hello, &before, after, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 40'000);
}

TEST_CASE("Zeroing takes no longer than its faults were on a processor, also in totals") {
  Snapshot before = zeroed(1h, 0, 0);
  Snapshot after = zeroed(1h + 500ms, 400 * kKib, 0);
  const auto parts = [](Snapshot& snapshot, std::uint64_t onProcessor, std::uint64_t waiting, std::uint64_t blocked) {
    ProcessValues& values = snapshot.processes.at(0).values;
    values.set(ProcessMetric::TimedFaults, onProcessor == 0 ? 0 : 100);
    values.set(ProcessMetric::FaultTime, onProcessor + waiting + blocked);
    values.set(ProcessMetric::FaultTimeOnProcessor, onProcessor);
    values.set(ProcessMetric::FaultTimeWaiting, waiting);
    values.set(ProcessMetric::FaultTimeBlocked, blocked);
  };
  Hello hello = helloOf(500ms);
  hello.zeroingCost = {.smallNsPerKib = 100, .largeNsPerKib = 10};
  Moment moment;
  parts(before, 0, 0, 0);
  parts(after, 15'000, 300'000, 400'000);
  derive(hello, &before, after, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 15'000);
  CHECK(timeOf(moment.rows.at(0).values) == 15'000);
  parts(after, 50'000, 300'000, 400'000);
  derive(hello, &before, after, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 40'000);
}

TEST_CASE("Large pages take at least what was measured in their faults, as where the host backs memory late") {
  constexpr std::uint64_t kLarge = 64 * 1024 * kKib;
  constexpr std::uint64_t kByCost = 64 * 1024 * 10;
  const auto taken = [](Nanoseconds time, std::uint64_t large, std::uint64_t ns) {
    Snapshot snapshot = zeroed(time, large + 8 * kKib, large);
    ProcessValues& values = snapshot.processes.at(0).values;
    values.set(ProcessMetric::LargeZeroingTime, ns);
    values.set(ProcessMetric::TimedFaults, large / (2048 * kKib) + 2);
    values.set(ProcessMetric::FaultTimeOnProcessor, 3 * ns);
    return snapshot;
  };
  Hello hello = helloOf(500ms);
  hello.zeroingCost = {.smallNsPerKib = 100, .largeNsPerKib = 10};
  const Snapshot before = taken(1h, 0, 0);
  Moment moment;
  derive(hello, nullptr, before, moment);
  const Snapshot late = taken(1h + 500ms, kLarge, 85'000'000);
  derive(hello, &before, late, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 85'000'000);
  CHECK(timeOf(moment.rows.at(0).values) == 85'000'000 + 800);
  const Snapshot backed = taken(1h + 1s, 2 * kLarge, 85'000'000 + kByCost / 2);  // from the cache
  derive(hello, &late, backed, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == kByCost);
  CHECK(timeOf(moment.processTotal) == kByCost);
  Moment anew;
  derive(hello, nullptr, backed, anew);  // as from the middle of a recording
  CHECK(timeOf(anew.rows.at(0).values) == 85'000'000 + kByCost / 2 + 800);
}

TEST_CASE("The cost of clearing is that of the newest snapshot, if it has a cost") {
  const Snapshot before = zeroed(1h, 0, 0);
  Snapshot after = zeroed(1h + 500ms, 16 * kKib, 0);
  after.system.set(SystemMetric::SmallZeroingCost, 50'000);
  after.system.set(SystemMetric::LargeZeroingCost, 30'000);
  Hello hello = helloOf(500ms);
  hello.zeroingCost = {.smallNsPerKib = 100, .largeNsPerKib = 10};
  Moment moment;
  derive(hello, &before, after, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 16 * 50);
}

TEST_CASE("A cost that is measured anew applies to what is zeroed from then on: totals grow by what rates tell") {
  Hello hello = helloOf(500ms);
  hello.zeroingCost = {.smallNsPerKib = 100, .largeNsPerKib = 10};
  Moment moment;
  const Snapshot first = zeroed(1h, 8 * kKib, 0);
  derive(hello, nullptr, first, moment);
  CHECK(timeOf(moment.rows.at(0).values) == 800);

  Snapshot second = zeroed(1h + 500ms, 10 * kKib, 0);
  second.system.set(SystemMetric::SmallZeroingCost, 50'000);
  second.system.set(SystemMetric::LargeZeroingCost, 5'000);
  derive(hello, &first, second, moment);
  CHECK(timeOf(moment.rows.at(0).deltas) == 100);
  CHECK(timeOf(moment.rows.at(0).values) == 900);

  Snapshot third = zeroed(1h + 1s, 10 * kKib, 0);
  third.system = second.system;
  derive(hello, &second, third, moment);
  CHECK(timeOf(moment.rows.at(0).values) == 900);
}
