#include "platform/sampling/synthetic/windows.h"

#include <catch2/catch_test_macros.hpp>
#include <cmath>

#include "core/history/background_zeroing.h"
#include "core/monitor/monitor.h"
#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "platform/sampling/synthetic/sampler.h"

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("The story of zeroing has its pages at each of its instants") {
  CHECK(zeroedListPages(0s) == kStoryPages);
  CHECK(zeroedListPages(7s) == kStoryPages / 2);
  CHECK(freeListPages(14s) == 0);
  for (const Nanoseconds dry : {14s, 15s, 16s}) CHECK(zeroedListPages(dry) == 0);
  CHECK(freeListPages(15500ms) == kStoryPages / 2);
  CHECK(freeListPages(16s) == kStoryPages);
  CHECK(pagesZeroedBy(16s) == 0);
  CHECK(pagesZeroedBy(16500ms) == kStoryPages / 2);
  CHECK(zeroedListPages(17s) == kStoryPages);
  CHECK(freeListPages(17s) == 0);
  for (Nanoseconds t{0}; t < 60s; t += 130ms)
    REQUIRE(zeroedListPages(t) + freeListPages(t) + pagesOfGame(t) == kStoryPages);
  CHECK(zeroedListPages(20s) == kStoryPages);
  CHECK(pagesZeroedBy(36h + 17s) % kStoryPages == 0);
}

namespace {

// A recording of the synthetic Windows, read again.
struct RecordedWindows {
  static constexpr std::uint64_t kTicks = 120;  // a minute: three stories
  SyntheticOptions options{.processes = 20, .windows = true};
  Monitor monitor;

  RecordedWindows() {
    SyntheticSampler sampler(options);
    Encoder encoder;
    Decoder decoder;
    decoder.feed(encoder.hello(sampler.hello()));
    const auto hello = decoder.next();
    REQUIRE(hello);
    monitor.ingest(std::get<Hello>(*hello));
    Snapshot snapshot;
    for (std::uint64_t tick = 0; tick < kTicks; ++tick) {
      REQUIRE(sampler.sample(snapshot));
      decoder.feed(encoder.snapshot(snapshot));
      const auto received = decoder.next();
      REQUIRE(received);
      monitor.ingest(*std::get<const Snapshot*>(*received));
    }
  }
  [[nodiscard]] std::vector<Bucket> series(SystemMetric metric) const {
    const MonotonicTime end = options.start + static_cast<std::int64_t>(kTicks) * options.interval;
    return monitor.history().machine(metric, options.start, end, 100'000);
  }
  [[nodiscard]] Nanoseconds since(const Bucket& bucket) const { return bucket.end - options.start; }
};

float perSecond(std::uint64_t before, std::uint64_t after) {
  return static_cast<float>(static_cast<double>(after - before) * 1e9 / 5e8);
}

}  // namespace

TEST_CASE("Each series of zeroing is exact in the history at the far end of a stream") {
  const RecordedWindows machine;
  REQUIRE(machine.monitor.snapshots() == RecordedWindows::kTicks);
  const auto levels = machine.series(SystemMetric::ZeroedListBytes);
  REQUIRE(levels.size() == RecordedWindows::kTicks);
  for (const Bucket& level : levels)
    REQUIRE(level.max == static_cast<float>(zeroedListPages(machine.since(level)) * 4096));
  for (const Bucket& level : machine.series(SystemMetric::FreeListBytes))
    REQUIRE(level.max == static_cast<float>(freeListPages(machine.since(level)) * 4096));
  for (const Bucket& level : machine.series(SystemMetric::ZeroThreads)) REQUIRE(level.max == 2);

  const auto cycles = machine.series(SystemMetric::ZeroThreadCycles);
  REQUIRE(cycles.size() == RecordedWindows::kTicks - 1);
  for (const Bucket& rate : cycles)
    REQUIRE(rate.max == perSecond(pagesZeroedBy(machine.since(rate) - 500ms) * kCyclesPerZeroedPage,
                                  pagesZeroedBy(machine.since(rate)) * kCyclesPerZeroedPage));
  Snapshot before;
  Snapshot after;
  for (const SystemMetric metric :
       {SystemMetric::DemandZeroFaults, SystemMetric::TransitionFaults, SystemMetric::CopyOnWriteFaults,
        SystemMetric::ZeroThreadTime, SystemMetric::ZeroThreadSwitches, SystemMetric::SystemProcessCycles}) {
    const auto rates = machine.series(metric);
    REQUIRE(rates.size() == RecordedWindows::kTicks - 1);
    for (const Bucket& rate : rates) {
      const auto tick = static_cast<std::uint64_t>(machine.since(rate) / 500ms);
      syntheticSnapshot(machine.options, tick - 1, before);
      syntheticSnapshot(machine.options, tick, after);
      REQUIRE(rate.max == perSecond(*before.system.get(metric), *after.system.get(metric)));
    }
  }
}

TEST_CASE("Coarse buckets keep the sums of the machine's series") {
  const RecordedWindows machine;
  const auto all = machine.monitor.history().machine(SystemMetric::ZeroThreadCycles, machine.options.start,
                                                     machine.options.start + 60s, 12);
  double cycles = 0;
  for (const Bucket& bucket : all)
    cycles += double{bucket.mean} * std::chrono::duration<double>(bucket.end - bucket.start + 500ms).count();
  CHECK(std::abs(cycles / static_cast<double>(3 * kStoryPages * kCyclesPerZeroedPage) - 1) < 0.001);
}

TEST_CASE("Cycles are told as time and per page, each by its formula") {
  const RecordedWindows machine;
  const History& history = machine.monitor.history();
  const Moment& now = machine.monitor.now();
  CHECK(std::abs(*timeOfCycles(now, SystemMetric::SystemProcessCycles) * 1e-9 * kSyntheticCyclesPerSecond -
                 kOtherSystemCycles) < 1);
  CHECK(zeroThreadTime(now) == 0);
  const auto asked = machine.series(SystemMetric::DemandZeroFaults);
  double pages = 0;
  for (const Bucket& rate : asked) pages += double{rate.mean} / 2;
  const double grown = static_cast<double>(zeroedListPages(59500ms)) - static_cast<double>(zeroedListPages(0s));
  const auto perPage = cyclesPerZeroedPage(history, machine.monitor.hello());
  REQUIRE(perPage);
  CHECK(std::abs(*perPage / (3.0 * kStoryPages * kCyclesPerZeroedPage / (pages + grown)) - 1) < 0.001);
}

TEST_CASE("The synthetic Windows has no number that Windows lacks, and says why") {
  const RecordedWindows machine;
  const Hello& hello = machine.monitor.hello();
  const Moment& now = machine.monitor.now();
  CHECK(hello.quality(ProcessMetric::MinorFaults).grade == Grade::Exact);
  CHECK(hello.quality(ProcessMetric::ZeroedBytes).how.starts_with("Windows does not report"));
  for (const ProcessMetric metric : allProcessMetrics())
    if (hello.quality(metric).grade == Grade::Unavailable) CHECK_FALSE(now.processTotal.has(metric));
  for (const SystemMetric metric : allSystemMetrics())
    CHECK(now.system.has(metric) == (hello.quality(metric).grade != Grade::Unavailable));
}

TEST_CASE(
    "Each story of the synthetic Windows is a spike of an empty list, and one of the threads after the game freed") {
  const RecordedWindows machine;
  std::vector<Spike> threads;
  std::vector<Spike> lists;
  for (const Spike& spike : machine.monitor.spikes()) {
    if (spike.of == SpikeOf::ZeroingThreads) threads.push_back(spike);
    if (spike.of == SpikeOf::ZeroedList) lists.push_back(spike);
  }
  REQUIRE(threads.size() == 3);
  REQUIRE(lists.size() == 3);
  Snapshot empty;
  Snapshot full;
  for (std::int64_t story = 0; story < 3; ++story) {
    const Spike& thread = threads[static_cast<std::size_t>(story)];
    const Spike& list = lists[static_cast<std::size_t>(story)];
    const MonotonicTime began = machine.options.start + story * 20s;
    CHECK(thread.start == began + 16s);
    CHECK(thread.end == began + 17s);
    const auto ns = thread.cost.get(ProcessMetric::ZeroingTime);
    REQUIRE(ns);
    CHECK(std::abs(static_cast<double>(*ns) / (static_cast<double>(kStoryPages) * kNsPerZeroedPage) - 1) < 1e-6);
    REQUIRE(thread.freed);
    CHECK(thread.freed->name == "game");
    CHECK(list.start == began + 14s);
    CHECK(list.end == began + 16s);
    syntheticSnapshot(machine.options, static_cast<std::uint64_t>(story * 40 + 28), empty);
    syntheticSnapshot(machine.options, static_cast<std::uint64_t>(story * 40 + 32), full);
    CHECK(list.faults ==
          *full.system.get(SystemMetric::DemandZeroFaults) - *empty.system.get(SystemMetric::DemandZeroFaults));
  }
}
