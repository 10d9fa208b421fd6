#include "app/collector/sweep_loop.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <map>
#include <numeric>
#include <vector>

#include "core/model/unnamed_ended.h"
#include "core/stream/decoder.h"
#include "platform/sampling/synthetic/sampler.h"
#include "tests/support/fake_clock.h"

using namespace faultline;
using namespace std::chrono_literals;
using faultline::test::FakeClock;

namespace {

// A sampler that takes a given time for each sample.
class SlowSampler final : public Sampler {
 public:
  explicit SlowSampler(FakeClock& clock) : m_clock(clock) {}
  [[nodiscard]] Hello hello() const override {
    Hello hello;
    hello.source = samples < changesAt ? "sweep" : "changed";
    return hello;
  }
  [[nodiscard]] bool helloChanged() override { return samples == changesAt; }
  void attend(bool active) override { told.push_back(active); }
  [[nodiscard]] Result<void> sample(Snapshot& out) override {
    if (broken) return fail("Nothing to see.");
    out.time = m_clock.now();
    out.processes.resize(1);
    out.processes[0].key = {7, 1};
    out.processes[0].values.set(ProcessMetric::MinorFaults, ++samples);
    out.exited.clear();
    out.system.set(SystemMetric::LostExits, 0);
    for (std::uint32_t i = 0; i < exits; ++i) {
      auto& ended = out.exited.emplace_back(ProcessSample{{++lastPid, samples + 2}, "brief", {}});
      ended.values.set(ProcessMetric::MinorFaults, i);
      ended.values.set(ProcessMetric::ParentPid, 2 + i % 3);
    }
    if (exitEverySample) out.exited.push_back({{100 + static_cast<std::uint32_t>(samples), 1}, "brief", {}});
    m_clock.tick(slow.empty() || samples > slow.size() ? 1ms : slow[samples - 1]);
    return {};
  }

  std::vector<Nanoseconds> slow;
  std::vector<bool> told;
  std::uint64_t samples = 0;
  std::uint64_t changesAt = UINT64_MAX;
  bool broken = false;
  bool exitEverySample = false;
  std::uint32_t exits = 0;  // in every sample
  std::uint32_t lastPid = 1000;

 private:
  FakeClock& m_clock;
};

class SweepOutlet final : public Outlet {
 public:
  explicit SweepOutlet(FakeClock& clock) : m_clock(clock) {}

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> frame) override {
    ++sends;
    if (sends == failAt) return fail("The disk is full.");
    if (sends == goneAt) return Sent::ReaderGone;
    if (dropEvery != 0 && sends > 1 && sends % dropEvery == 0) return Sent::Dropped;
    if (sends > stallsAfter && sends < takesAgain) return Sent::Dropped;
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    return Sent::Accepted;
  }
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override {
    if (m_clock.now() >= stopAt) return Wake::Stop;
    if (!asks.empty() && asks.front() <= deadline) {
      m_clock.tickTo(asks.front());
      asks.erase(asks.begin());
      return Wake::Asked;
    }
    m_clock.tickTo(deadline + oversleep);
    return Wake::Deadline;
  }
  [[nodiscard]] Result<Wake> waitForRoom(MonotonicTime deadline) override { return waitUntil(deadline); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> frame) override {
    finished = true;
    bytes.insert(bytes.end(), frame.begin(), frame.end());
    return Sent::Accepted;
  }

  std::uint64_t sends = 0;
  std::uint64_t failAt = 0;
  std::uint64_t goneAt = 0;
  std::uint64_t dropEvery = 0;
  std::uint64_t stallsAfter = UINT64_MAX;
  std::uint64_t takesAgain = UINT64_MAX;
  MonotonicTime stopAt{100h};
  std::vector<MonotonicTime> asks;  // when the reader asks for a sample
  Nanoseconds oversleep{0};
  bool finished = false;
  std::vector<std::byte> bytes;

 private:
  FakeClock& m_clock;
};

struct Loop {
  FakeClock clock;
  SlowSampler sampler{clock};
  SweepOutlet outlet{clock};
  MonotonicTime start = clock.now();

  SweepReport run(const SweepOptions& options) { return runSweep({}, sampler, outlet, clock, options); }
};

struct Decoded {
  std::vector<Snapshot> snapshots;
  bool hello = false;
  bool end = false;
  Hello lastHello;
  std::size_t beforeLastHello = 0;  // snapshots
};

Decoded decode(const std::vector<std::byte>& bytes) {
  Decoder decoder;
  decoder.feed(bytes);
  Decoded decoded;
  for (;;) {
    const auto event = decoder.next();
    REQUIRE(event);
    if (std::holds_alternative<NeedMoreBytes>(*event)) return decoded;
    if (const auto* hello = std::get_if<Hello>(&*event)) {
      decoded.hello = true;
      decoded.lastHello = *hello;
      decoded.beforeLastHello = decoded.snapshots.size();
    }
    if (std::holds_alternative<StreamEnd>(*event)) decoded.end = true;
    if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) decoded.snapshots.push_back(**snapshot);
  }
}

}  // namespace

TEST_CASE("A Hello that changes with a sample goes before it, again and again until the reader takes it") {
  Loop loop;
  loop.sampler.changesAt = 5;
  loop.outlet.stallsAfter = GENERATE(UINT64_MAX, 5ULL);
  loop.outlet.takesAgain = loop.outlet.stallsAfter + 5;  // four packets are dropped
  const bool stalls = loop.outlet.stallsAfter == 5;
  Hello first;
  first.version = "1.2";
  first.interval = 100ms;
  first.collectorPid = 7;
  const SweepReport report = runSweep(first, loop.sampler, loop.outlet, loop.clock, {.interval = 100ms, .count = 10});
  const Decoded decoded = decode(loop.outlet.bytes);
  CHECK(decoded.lastHello.source == "changed");
  CHECK(decoded.lastHello.version == "1.2");
  CHECK(decoded.lastHello.interval == 100ms);
  CHECK(decoded.lastHello.collectorPid == 7);
  CHECK(decoded.beforeLastHello == 4);
  CHECK(report.dropped == (stalls ? 2U : 0U));
  CHECK(decoded.snapshots.size() == 10 - report.dropped);
}

TEST_CASE("Samples lie on a grid that neither sampling nor oversleeping shifts") {
  Loop loop;
  loop.outlet.oversleep = 3ms;
  const SweepReport report = loop.run({.interval = 100ms, .count = 50});
  CHECK(report.end == SweepEnd::Counted);
  CHECK(report.missed == 0);
  const Decoded decoded = decode(loop.outlet.bytes);
  CHECK(decoded.hello);
  CHECK(decoded.end);
  REQUIRE(decoded.snapshots.size() == 50);
  CHECK(decoded.snapshots[49].time - loop.start == 49 * 100ms + 3ms);
}

TEST_CASE("A sample that the reader asks for comes at once, 10 ms after the last at least, and begins a grid") {
  Loop loop;
  loop.outlet.asks = {loop.start + 150ms, loop.start + 152ms, loop.start + 153ms, loop.start + 255ms};
  const SweepReport report = loop.run({.interval = 100ms, .count = 7});
  CHECK(report.missed == 0);
  std::vector<std::int64_t> times;
  for (const Snapshot& snapshot : decode(loop.outlet.bytes).snapshots)
    times.push_back((snapshot.time - loop.start) / 1ms);
  CHECK(times == std::vector<std::int64_t>{0, 100, 150, 160, 255, 355, 455});
}

TEST_CASE("Missed deadlines are counted in the stream, and the grid does not move") {
  Loop loop;
  loop.sampler.slow = {1ms, 350ms, 1ms, 199ms, 100ms, 1ms};
  const SweepReport report = loop.run({.interval = 100ms, .count = 6});
  CHECK(report.missed == 2);  // at 200 and 300; the sample of 400 is taken late at 450, within its slot
  const Decoded decoded = decode(loop.outlet.bytes);
  REQUIRE(decoded.snapshots.size() == 6);
  std::vector<std::int64_t> times;
  std::vector<std::uint64_t> missed;
  for (const Snapshot& snapshot : decoded.snapshots) {
    times.push_back((snapshot.time - loop.start) / 1ms);
    missed.push_back(snapshot.system.get(SystemMetric::MissedDeadlines).value_or(99));
  }
  CHECK(times == std::vector<std::int64_t>{0, 100, 450, 500, 699, 799});
  CHECK(missed == std::vector<std::uint64_t>{0, 0, 2, 2, 2, 2});
}

TEST_CASE("Dropped packets are counted in the stream, and later packets do not depend on them") {
  Loop loop;
  loop.outlet.dropEvery = 3;
  const SweepReport report = loop.run({.interval = 100ms, .count = 30});
  CHECK(report.dropped == 10);
  const Decoded decoded = decode(loop.outlet.bytes);
  REQUIRE(decoded.snapshots.size() == 20);
  CHECK(decoded.end);
  std::uint64_t dropped = 0;
  for (const Snapshot& snapshot : decoded.snapshots) {
    const auto told = snapshot.system.get(SystemMetric::DroppedSnapshots).value_or(99);
    CHECK(told >= dropped);
    dropped = told;
    const auto tick = static_cast<std::uint64_t>((snapshot.time - loop.start) / 100ms);
    CHECK(snapshot.processes.at(0).values.get(ProcessMetric::MinorFaults) == tick + 1);
  }
  CHECK(dropped == 10);
}

TEST_CASE("Ended processes in a dropped packet are sent again") {
  Loop loop;
  loop.sampler.exitEverySample = true;
  loop.outlet.dropEvery = 3;
  static_cast<void>(loop.run({.interval = 100ms, .count = 30}));
  std::vector<std::uint32_t> ended;
  for (const Snapshot& snapshot : decode(loop.outlet.bytes).snapshots) {
    for (const ProcessSample& process : snapshot.exited) ended.push_back(process.key.pid);
  }
  std::vector<std::uint32_t> expected(30);
  std::iota(expected.begin(), expected.end(), 101U);
  CHECK(ended == expected);
}

TEST_CASE("A reader that stalls while processes end loses names, but no counts, within bounded memory") {
  constexpr std::uint64_t kSamples = 100;
  constexpr std::uint64_t kExits = 3000;
  Loop loop;
  loop.sampler.exits = kExits;
  loop.outlet.stallsAfter = 2;  // Hello and the first snapshot
  loop.outlet.takesAgain = kSamples;
  static_cast<void>(loop.run({.interval = 100ms, .count = kSamples}));
  const auto snapshots = decode(loop.outlet.bytes).snapshots;
  REQUIRE(snapshots.size() == 3);
  std::map<std::uint64_t, std::uint64_t> faults;  // by parent
  std::uint64_t named = 0;
  for (const Snapshot& snapshot : snapshots) {
    CHECK(snapshot.exited.size() < 10'000);
    for (const ProcessSample& process : snapshot.exited) {
      faults[process.values.get(ProcessMetric::ParentPid).value_or(0)] +=
          process.values.get(ProcessMetric::MinorFaults).value_or(0);
      if (process.name != kUnnamedEnded) ++named;
    }
  }
  CHECK(named > 8000);
  CHECK(snapshots.back().system.get(SystemMetric::LostExits) == kSamples * kExits - named);
  for (const std::uint64_t parent : {2, 3, 4})  // each third of 0 + 1 + ... + 2999
    CHECK(faults[parent] == kSamples * (kExits / 3 * (parent - 2) + 3 * (kExits / 3 * (kExits / 3 - 1) / 2)));
  CHECK(faults.size() == 3);
}

TEST_CASE("A request to stop ends the stream with its last packet") {
  Loop loop;
  loop.outlet.stopAt = loop.start + 1s;
  const SweepReport report = loop.run({.interval = 100ms, .count = {}});
  CHECK(report.end == SweepEnd::Stopped);
  CHECK(report.trouble.empty());
  const Decoded decoded = decode(loop.outlet.bytes);
  CHECK(decoded.end);
  CHECK(decoded.snapshots.back().time >= loop.outlet.stopAt);  // covers the time up to the stop
}

TEST_CASE("The loop ends without an error when the reader leaves") {
  Loop loop;
  loop.outlet.goneAt = 5;
  const SweepReport report = loop.run({.interval = 100ms, .count = {}});
  CHECK(report.end == SweepEnd::ReaderGone);
  CHECK(report.trouble.empty());
  CHECK(loop.sampler.samples == 4);
  CHECK_FALSE(loop.outlet.finished);
}

TEST_CASE("An outlet or sampler that fails ends the loop with its error") {
  Loop full;
  full.outlet.failAt = 3;
  const SweepReport written = full.run({.interval = 100ms, .count = {}});
  CHECK(written.end == SweepEnd::CannotWrite);
  CHECK(written.trouble == "The disk is full.");
  Loop blind;
  blind.sampler.broken = true;
  const SweepReport measured = blind.run({.interval = 100ms, .count = {}});
  CHECK(measured.end == SweepEnd::CannotMeasure);
  CHECK(measured.trouble == "Nothing to see.");
}

TEST_CASE("A fast loop does not wait, and has no late samples") {
  Loop loop;
  const SweepReport report = loop.run({.interval = 10s, .count = 1000, .fast = true});
  CHECK(report.samples == 1000);
  CHECK(report.missed == 0);
  CHECK(loop.clock.now() - loop.start == 1000 * 1ms);
}

TEST_CASE("The sampler is notified when attention comes and goes, and only then") {
  Loop loop;
  const std::vector<bool> looks{true, true, false, false, true, false};
  std::size_t asked = 0;
  static_cast<void>(loop.run(
      {.interval = 100ms, .count = looks.size(), .attention = [&] { return Attention{.active = looks[asked++]}; }}));
  CHECK(asked == looks.size());
  CHECK(loop.sampler.told == std::vector<bool>{false, true, false});
}
