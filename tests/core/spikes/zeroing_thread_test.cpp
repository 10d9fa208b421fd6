#include <catch2/catch_test_macros.hpp>

#include "core/spikes/groups.h"
#include "core/spikes/text.h"
#include "core/spikes/zeroing_thread_spikes.h"
#include "tests/core/spikes/watcher.h"

using namespace faultline;
using namespace std::chrono_literals;
using test::SpikeWatcher;

namespace {

constexpr std::uint64_t kGigabyte = 1ULL << 30U;

// A machine with two zeroing threads, the process System and a game of 3 GiB.
struct Zeroing : SpikeWatcher {
  using SpikeWatcher::SpikeWatcher;

  std::uint64_t ns = 0;
  std::uint64_t held = 3 * kGigabyte;

  Zeroing() {
    scene.process(4);
    spend(0ns, 10s);
  }
  // The threads run for `each` in every sweep.
  std::vector<Spike> spend(Nanoseconds each, Nanoseconds span) {
    std::vector<Spike> told;
    for (auto sweeps = span / scene.interval; sweeps > 0; --sweeps) {
      ns += static_cast<std::uint64_t>(each.count());
      scene.now.system.set(SystemMetric::ZeroThreadTime, ns);
      ProcessSample& game = scene.process(100);
      game.name = "game";
      game.values.set(ProcessMetric::ResidentBytes, held);
      game.values.set(ProcessMetric::CommitBytes, held + kGigabyte);
      told = sweep();
    }
    return told;
  }
};

}  // namespace

TEST_CASE("Zeroing threads that take much of a core are a spike of their own, with the process that freed the memory") {
  Zeroing machine;
  CHECK(machine.spikes.empty());
  machine.held -= 2 * kGigabyte;
  machine.spend(0ns, 1s);
  machine.spend(400ms, 4s);
  REQUIRE(machine.spikes.size() == 1);
  const Spike open = machine.spikes.begin()->second;
  CHECK(open.open);
  machine.spend(0ns, 2s);
  REQUIRE(machine.spikes.size() == 1);
  const Spike& spike = machine.spikes.begin()->second;
  CHECK_FALSE(spike.open);
  CHECK(spike.of == SpikeOf::ZeroingThreads);
  CHECK(spike.key == ProcessKey{4, 0});
  CHECK(spike.end - spike.start == 4s);
  CHECK(spike.cost.get(ProcessMetric::ZeroingTime) == 3'200'000'000);
  CHECK(spike.peakPerSecond == 8e8);
  CHECK(spike.usualPerSecond == 0);
  REQUIRE(spike.freed);
  CHECK(spike.freed->name == "game");
  CHECK(spike.freed->bytes == 2 * kGigabyte);
  CHECK(spikeAmount(spike) == "≈ 80 % of a core for 4.00 s, game freed 2.00 GiB");
  CHECK(spikePeak(spike) == "peak 800 ms/s");
  CHECK(spikeRest(spike).empty());
  CHECK(habitAmount({.spikes = {&spike}}) == "≈ 3.20 s of a core each, game freed 2.00 GiB");
  CHECK(spikeWeight(spike) > 1);
}

TEST_CASE("Memory of a process that ends is freed; memory that only leaves a working set is not") {
  Zeroing machine;
  machine.scene.process(200).name = "trimmed";
  machine.scene.process(200).values.set(ProcessMetric::ResidentBytes, kGigabyte);
  machine.scene.process(200).values.set(ProcessMetric::CommitBytes, kGigabyte);
  machine.scene.process(300).name = "ended";
  machine.scene.process(300).values.set(ProcessMetric::ResidentBytes, 300 << 20U);
  machine.scene.process(300).values.set(ProcessMetric::CommitBytes, 400 << 20U);
  machine.spend(0ns, 1s);
  machine.scene.process(200).values.set(ProcessMetric::ResidentBytes, 0);
  machine.scene.death({300, 0});
  machine.spend(400ms, 1s);
  REQUIRE(machine.spikes.size() == 1);
  CHECK(machine.spikes.begin()->second.freed == FreedMemory{{300, 0}, "ended", 300 << 20U});
}

TEST_CASE("Zeroing without a process that freed memory names none") {
  Zeroing machine;
  machine.spend(400ms, 1s);
  REQUIRE(machine.spikes.size() == 1);
  CHECK_FALSE(machine.spikes.begin()->second.freed);
}

TEST_CASE("Zeroing that takes too little time, or takes as much as ever, is no spike") {
  Zeroing machine;
  machine.spend(20ms, 2s);  // 80 ms
  machine.spend(0ns, 10s);
  CHECK(machine.spikes.empty());
  const auto usually = [&](int times) {
    for (int i = 0; i < times; ++i) {
      machine.spend(180ms, 500ms);
      machine.spend(220ms, 500ms);
    }
  };
  usually(70);
  REQUIRE(machine.spikes.size() == 1);  // new, until it is usual
  usually(60);
  machine.spend(0ns, 2s);
  machine.spend(210ms, 10s);
  CHECK(machine.spikes.size() == 1);
}

TEST_CASE("A spike of zeroing ends with the stream of its numbers, and at a gap") {
  Zeroing machine;
  machine.spend(400ms, 2s);
  machine.scene.now.suspended += 1h;
  machine.spend(400ms, 500ms);
  REQUIRE(machine.spikes.size() == 1);
  CHECK_FALSE(machine.spikes.begin()->second.open);
  CHECK(machine.spikes.begin()->second.end - machine.spikes.begin()->second.start == 2s);
}

TEST_CASE("Spikes of processes and of zeroing have ids of their own, in order") {
  Zeroing machine;
  machine.scene.process(7);
  machine.spend(0ns, 1s);
  machine.scene.fault(7, 100'000);
  machine.spend(400ms, 500ms);
  REQUIRE(machine.spikes.size() == 2);
  CHECK(machine.spikes.at(1).of == SpikeOf::Process);
  CHECK(machine.spikes.at(2).of == SpikeOf::ZeroingThreads);
}

TEST_CASE("Zeroing is judged over half a second, whatever the interval") {
  SpikeWatcher quick(100ms);
  std::uint64_t ns = 0;
  const auto spend = [&](std::uint64_t each, int sweeps) {
    for (int i = 0; i < sweeps; ++i) {
      quick.scene.now.system.set(SystemMetric::ZeroThreadTime, ns += each);
      quick.sweep();
    }
  };
  spend(0, 100);
  spend(31'250'000, 1);  // two ticks within one sweep: 0.3 of a core, but 0.06 of half a second
  spend(0, 20);
  CHECK(quick.spikes.empty());
  spend(80'000'000, 10);
  spend(0, 20);
  REQUIRE(quick.spikes.size() == 1);
  CHECK(quick.spikes.begin()->second.cost.get(ProcessMetric::ZeroingTime) == 800'000'000);
}
