#include <catch2/catch_test_macros.hpp>

#include "core/spikes/empty_list_spikes.h"
#include "core/spikes/text.h"
#include "core/text/quantity.h"
#include "tests/core/spikes/watcher.h"

using namespace faultline;
using namespace std::chrono_literals;
using test::SpikeWatcher;

namespace {

struct List : SpikeWatcher {
  std::uint64_t asked = 0;

  List() { step(1ULL << 30U, 0); }
  std::vector<Spike> step(std::uint64_t left, std::uint64_t faults) {
    asked += faults;
    scene.now.system.set(SystemMetric::ZeroedListBytes, left);
    scene.now.system.set(SystemMetric::DemandZeroFaults, asked);
    return sweep();
  }
};

}  // namespace

TEST_CASE("An empty zeroed list is a spike that counts the faults since it was seen empty") {
  List machine;
  machine.step(1ULL << 30U, 50'000);
  machine.step(kEmptyZeroedList, 9'000);  // some of these found a page
  CHECK(machine.spikes.empty());
  CHECK(machine.step(0, 1'999).empty());  // too few to matter
  REQUIRE(machine.step(4096, 4'001).size() == 1);
  machine.step(0, 2'000);
  machine.step(1ULL << 30U, 7'000);  // some of these found a page
  CHECK(machine.spikes.at(1).open);
  machine.step(1ULL << 30U, 0);
  REQUIRE(machine.spikes.size() == 1);
  const Spike& spike = machine.spikes.at(1);
  CHECK_FALSE(spike.open);
  CHECK(spike.of == SpikeOf::ZeroedList);
  CHECK(spike.key == ProcessKey());
  CHECK(spike.faults == 8'000);
  CHECK(spike.end - spike.start == 1500ms);
  CHECK(spike.peakPerSecond == 8'002);
  CHECK(spikeAmount(spike) == "at least " + formatCount(8'000) + " pages zeroed in faults in 1.50 s");
}

TEST_CASE("A list that fills for less than a second is one spike") {
  List machine;
  machine.step(0, 0);
  machine.step(0, 5'000);
  machine.step(1ULL << 30U, 0);
  machine.step(0, 5'000);
  machine.step(0, 5'000);
  machine.step(1ULL << 30U, 0);
  machine.step(1ULL << 30U, 0);
  REQUIRE(machine.spikes.size() == 1);
  CHECK(machine.spikes.at(1).faults == 10'000);
}

TEST_CASE("An empty list that nobody asks is no spike, nor is a list that is not measured") {
  List machine;
  for (int i = 0; i < 20; ++i) machine.step(0, 10);
  CHECK(machine.spikes.empty());
  SpikeWatcher other;
  for (int i = 0; i < 20; ++i) {
    other.scene.now.system.set(SystemMetric::DemandZeroFaults, static_cast<std::uint64_t>(i) * 100'000);
    other.sweep();
  }
  CHECK(other.spikes.empty());
}
