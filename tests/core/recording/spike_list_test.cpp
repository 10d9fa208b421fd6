#include "core/recording/spike_list.h"

#include <catch2/catch_test_macros.hpp>

#include "core/recording/key_places.h"
#include "core/stream/wire.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

Spike someSpike() {
  Spike spike;
  spike.id = 3;
  spike.key = {4711, 12'000'000'000};
  spike.name = "ga\tme";
  spike.metric = ProcessMetric::ZeroedBytes;
  spike.start = {20s};
  spike.peakTime = {20'500ms};
  spike.end = {22s};
  spike.wallStart = {1'790'000'000s};
  spike.peakPerSecond = 1.5e9;
  spike.usualPerSecond = 12.125;
  spike.faults = 9000;
  spike.cost.set(ProcessMetric::MinorFaults, 9000);
  spike.cost.set(ProcessMetric::ZeroedBytes, 4097);
  spike.parent = "launcher";
  spike.again = true;
  spike.open = false;
  return spike;
}

std::vector<Spike> someSpikes() {
  Spike threads = someSpike();
  threads.id = 7;
  threads.of = SpikeOf::ZeroingThreads;
  threads.metric = ProcessMetric::ZeroingTime;
  threads.freed = FreedMemory{{5, 6}, "gave", 1U << 30U};
  threads.open = true;
  threads.zeroedEstimated = true;
  threads.teardownEstimated = true;
  return {someSpike(), threads};
}

// As the end of a recording with one key snapshot.
std::optional<RecordingIndex> throughEnd(std::optional<std::vector<Spike>> spikes) {
  const std::string end = packEnd(1000, {{{500, 12, {20s}}}, std::move(spikes)});
  return indexOfEnd(std::as_bytes(std::span(end)), 1000);
}

// Of spikes that `change` has made impossible.
std::optional<std::vector<Spike>> changed(void (*change)(Spike& spike)) {
  auto spikes = someSpikes();
  change(spikes.back());
  const auto index = throughEnd(spikes);
  REQUIRE(index);
  CHECK(index->places.size() == 1);
  return index->spikes;
}

}  // namespace

TEST_CASE("The end of a recording tells its spikes, and none is not the same as not known") {
  const auto read = throughEnd(someSpikes());
  REQUIRE(read);
  CHECK(read->spikes == someSpikes());
  CHECK(throughEnd(std::vector<Spike>())->spikes == std::vector<Spike>());
  CHECK_FALSE(throughEnd(std::nullopt)->spikes);
}

TEST_CASE("Impossible spikes are not told, and the places beside them are") {
  CHECK_FALSE(changed([](Spike& spike) { spike.id = 3; }));  // as the one before
  CHECK_FALSE(changed([](Spike& spike) { spike.of = static_cast<SpikeOf>(3); }));
  CHECK_FALSE(changed([](Spike& spike) { spike.metric = ProcessMetric::MinorFaults; }));  // of zeroing threads
  CHECK_FALSE(changed([](Spike& spike) { spike.metric = static_cast<ProcessMetric>(kProcessMetricCount); }));
  CHECK_FALSE(changed([](Spike& spike) { spike.end = spike.start - 1ns; }));
  CHECK_FALSE(changed([](Spike& spike) { spike.start = {-1ns}; }));
  CHECK_FALSE(changed([](Spike& spike) {
    spike.of = SpikeOf::Process;
    spike.metric = ProcessMetric::CommitBytes;
  }));
}

TEST_CASE("Spikes that take more than their room are left out, and the places stay") {
  std::vector<Spike> many(2000, someSpike());
  for (std::size_t i = 0; i < many.size(); ++i) {
    many[i].id = i + 1;
    many[i].name = std::string(1000, 'x');
  }
  const auto read = throughEnd(many);
  REQUIRE(read);
  CHECK(read->places.size() == 1);
  CHECK_FALSE(read->spikes);
}

}  // namespace faultline::test
