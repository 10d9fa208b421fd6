// Single faults of a real test game, sampled by BPF.
#include <sys/wait.h>

#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/support/watched_game.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

bool liesIn(const FaultSample& sample, const GameFrame& frame) {
  return sample.time > frame.start && sample.time <= frame.start + frame.duration;
}

// Faults that the samples of a frame stand for.
std::uint64_t weightIn(const FaultSampleBatch& batch, const GameFrame& frame) {
  std::uint64_t weight = 0;
  for (const FaultSample& sample : batch.samples)
    if (liesIn(sample, frame)) weight += sample.weight;
  return weight;
}

}  // namespace

TEST_CASE("Every fault of every frame is sampled if all are wanted") {
  for (const char* newThreads : {"helper=0", "helper=20"}) {
    WatchedByBpf watched({"rate=240", "frames=480", "burst=1000", newThreads}, {.samples = SampleMode::All});
    CHECK(watched.source().hello().watched->samples.grade == Grade::Exact);
    watched.collectAll();
    REQUIRE(watched.frames.frames.size() > 50);
    for (const GameFrame& frame : watched.frames.frames) {
      const std::uint64_t told = weightIn(watched.samples, frame);
      REQUIRE(told <= frame.faults());
      REQUIRE(told + watched.samples.lost >= frame.faults());  // no fault is lost, unless the machine is very busy
    }
  }
}

TEST_CASE("While the collector has no turn, every fault is kept, and the stacks of the first") {
  WatchedByBpf watched({"rate=240", "frames=480", "pages=2", "every=480", "burst=20000"}, {.samples = SampleMode::All});
  siginfo_t end{};
  REQUIRE(waitid(P_PID, watched.game().pid(), &end, WEXITED | WNOWAIT) == 0);
  watched.collectAll();
  REQUIRE_FALSE(watched.frames.frames.empty());
  const GameFrame& burst = watched.frames.frames.back();
  CHECK(watched.samples.lost == 0);
  CHECK(weightIn(watched.samples, burst) == burst.faults());
  const auto& samples = watched.samples.samples;
  const auto hasStack = [](const FaultSample& sample) { return !sample.stack.empty(); };
  CHECK(std::ranges::count_if(samples, hasStack) > 5000);
  CHECK_FALSE(hasStack(samples.back()));
  CHECK(std::ranges::all_of(samples, [](const FaultSample& sample) { return sample.registers.size() >= 17; }));
}

TEST_CASE("A fault sample has thread, address, access, mapping, registers and stack") {
  WatchedByBpf watched({"rate=240", "frames=400"}, {.samples = SampleMode::All});
  watched.collectAll();
  std::size_t touches = 0;
  std::size_t stacks = 0;  // only while there is room for them
  for (const FaultSample& sample : watched.samples.samples) {
    REQUIRE(sample.threadName == "fake_game");
    REQUIRE(sample.took.value_or(0ns) > 0ns);
    REQUIRE(sample.access);
    if (!sample.access->write || sample.inKernel || !sample.mapping || sample.mapping->file) continue;
    REQUIRE(sample.mapping->begin <= sample.address);
    REQUIRE(sample.address < sample.mapping->end);
    REQUIRE(sample.registers.size() >= 17);
    REQUIRE((sample.stack.empty() || sample.stack.size() >= 256));
    ++touches;
    if (!sample.stack.empty()) ++stacks;
  }
  CHECK(stacks > 0);
  CHECK(touches >= watched.frames.frames.size() * 16);
  CHECK(std::ranges::none_of(watched.samples.samples, [](const FaultSample& sample) { return sample.major; }));
}

TEST_CASE("The stack of a sample reaches the game beyond 7 KiB of a library's") {
  WatchedByBpf watched({"rate=240", "frames=400", "deep=7000"}, {.samples = SampleMode::Some});
  watched.collectAll();
  const auto reachesGame = [](const FaultSample& sample) { return sample.stack.size() > 7168; };
  CHECK(std::ranges::count_if(watched.samples.samples, reachesGame) > 100);
}

TEST_CASE("Every sixteenth fault stands for sixteen") {
  WatchedByBpf watched({"rate=240", "frames=400"}, {.samples = SampleMode::Some});
  watched.collectAll();
  for (const GameFrame& frame : watched.frames.frames) {
    const std::uint64_t told = weightIn(watched.samples, frame);
    REQUIRE(told <= frame.faults() + 15);
    REQUIRE(told + 15 >= frame.faults());
  }
  CHECK(std::ranges::all_of(watched.samples.samples, [](const FaultSample& s) { return s.weight == kSampleEvery; }));
}

TEST_CASE("The mode for spikes samples only faults beyond the given time in a frame") {
  WatchedByBpf watched({"rate=240", "frames=1200"}, {.samples = SampleMode::Spikes, .sampleAfter = 2ms});
  watched.collectAll();
  std::size_t bursts = 0;
  for (const GameFrame& frame : watched.frames.frames) {
    const std::uint64_t told = weightIn(watched.samples, frame);
    if (frame.values.time(FrameMetric::FaultTime).value_or(0ns) < 2ms) REQUIRE(told == 0);
    if (frame.values.minorFaults() == 8192 && told > 0) ++bursts;
    REQUIRE(told <= frame.faults() + 15);
  }
  CHECK(bursts >= 2);
}

TEST_CASE("A frame tells how long its thread's faults were sampled, besides the time of the faults") {
  for (const SampleMode mode : {SampleMode::None, SampleMode::Spikes, SampleMode::All}) {
    WatchedByBpf watched({"rate=240", "frames=600"}, {.samples = mode, .sampleAfter = 2ms});
    watched.collectAll();
    std::size_t sampled = 0;
    for (const GameFrame& frame : watched.frames.frames) {
      const auto sampling = frame.values.time(FrameMetric::ThreadSamplingTime);
      const auto inFaults = frame.values.time(FrameMetric::ThreadFaultTime);
      if (!sampling || !inFaults) continue;  // the first frame
      REQUIRE(*sampling + *inFaults <= frame.duration);
      REQUIRE((*sampling > 0ns) == (weightIn(watched.samples, frame) > 0));
      sampled += *sampling > 0ns ? 1 : 0;
    }
    CHECK((sampled > 0) == (mode != SampleMode::None));
    if (mode == SampleMode::All) CHECK(sampled > 400);
  }
}

TEST_CASE("Without a request no fault is sampled") {
  WatchedByBpf watched({"rate=240", "frames=2400", "every=1000"});
  pause(100ms);
  watched.collectUntil([&] { return watched.frames.frames.size() > 10; });
  CHECK(watched.samples.samples.empty());
  CHECK(watched.samples.lost == 0);
  CHECK(watched.source().hello().watched->samples.grade == Grade::Unavailable);
}

}  // namespace faultline::test
