#include <catch2/catch_test_macros.hpp>
#include <vector>

#include "app/collector/pace.h"
#include "app/collector/sweep_loop.h"
#include "core/monitor/monitor.h"
#include "core/stream/decoder.h"
#include "platform/sampling/synthetic/sampler.h"
#include "tests/support/fake_clock.h"

using namespace faultline;
using namespace std::chrono_literals;
using faultline::test::FakeClock;

namespace {

class Received final : public Outlet {
 public:
  explicit Received(FakeClock& clock) : m_clock(clock) {}

  [[nodiscard]] Result<Sent> send(std::span<const std::byte> packet) override {
    bytes.insert(bytes.end(), packet.begin(), packet.end());
    return Sent::Accepted;
  }
  [[nodiscard]] Result<Wake> waitUntil(MonotonicTime deadline) override {
    m_clock.tickTo(deadline);
    return Wake::Deadline;
  }
  [[nodiscard]] Result<Wake> waitForRoom(MonotonicTime deadline) override { return waitUntil(deadline); }
  [[nodiscard]] Result<Sent> finish(std::span<const std::byte> packet) override { return send(packet); }

  std::vector<std::byte> bytes;

 private:
  FakeClock& m_clock;
};

// The synthetic machine, a game of which is watched from 10 s to 15 s.
struct WatchedMachine {
  FakeClock clock;
  Received outlet{clock};
  SyntheticOptions options{.start = clock.now()};
  std::vector<Snapshot> snapshots;
  Monitor monitor;

  explicit WatchedMachine(bool faster) {
    SyntheticSampler sampler(options);
    const SweepReport report =
        runSweep(sampler.hello(), sampler, outlet, clock, {.count = 200, .faster = faster, .attention = [this] {
                                                             const Nanoseconds t = clock.now() - options.start;
                                                             return Attention{.watching = t >= 10s && t < 15s};
                                                           }});
    CHECK(report.missed == 0);
    Decoder decoder;
    decoder.feed(outlet.bytes);
    for (auto event = decoder.next(); event && !std::holds_alternative<StreamEnd>(*event); event = decoder.next()) {
      if (const auto* hello = std::get_if<Hello>(&*event)) monitor.ingest(*hello);
      if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) snapshots.push_back(**snapshot);
    }
    REQUIRE(snapshots.size() == 200);
  }
};

}  // namespace

TEST_CASE("Each sample tells the time that was planned for it, and is that of the machine at its time") {
  WatchedMachine machine(true);
  Snapshot truth;
  std::size_t fastest = 0;
  std::size_t usual = 0;  // a spike of the machine may run before and after the watch, too
  for (std::size_t i = 0; i < machine.snapshots.size(); ++i) {
    const Snapshot& snapshot = machine.snapshots[i];
    const Nanoseconds t = snapshot.time - machine.options.start;
    const auto told = snapshot.system.get(SystemMetric::SweepInterval);
    REQUIRE(told);
    SyntheticOptions options = machine.options;
    options.interval = Nanoseconds(static_cast<std::int64_t>(*told));
    syntheticMachine(options, t, truth);
    REQUIRE(snapshot == truth);
    if (i > 0) REQUIRE(snapshot.time - machine.snapshots[i - 1].time == options.interval);
    if (t > 11s && t <= 15s) REQUIRE(options.interval < 500ms);
    if (options.interval == kFastest) ++fastest;
    if (options.interval == 500ms) ++usual;
  }
  CHECK(fastest > 50);
  CHECK(usual > 4);
}

TEST_CASE("Rates are right while the interval changes, without a gap, and add up to the counters") {
  WatchedMachine machine(true);
  std::uint64_t faults = 0;
  for (std::size_t i = 0; i < machine.snapshots.size(); ++i) {
    machine.monitor.ingest(machine.snapshots[i]);
    const Moment& now = machine.monitor.now();
    if (i == 0) continue;
    REQUIRE(now.gap == Gap::None);
    REQUIRE_FALSE(now.brief);
    const auto delta = now.systemDeltas.get(SystemMetric::Faults);
    REQUIRE(delta);
    faults += *delta;
  }
  const auto count = [](const Snapshot& snapshot) { return snapshot.system.get(SystemMetric::Faults).value_or(0); };
  CHECK(faults == count(machine.snapshots.back()) - count(machine.snapshots.front()));
}

TEST_CASE("Without the option the interval stays as it is") {
  const WatchedMachine machine(false);
  for (std::size_t i = 1; i < machine.snapshots.size(); ++i)
    REQUIRE(machine.snapshots[i].time - machine.snapshots[i - 1].time == 500ms);
}
