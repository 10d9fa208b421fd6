#include "platform/sampling/synthetic/frames.h"

#include <catch2/catch_test_macros.hpp>

#include "core/culprits/culprits.h"
#include "core/culprits/synthetic_stacks.h"
#include "core/frames/tally.h"
#include "tests/support/fake_clock.h"

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("The synthetic game sends each frame once, without a gap, and samples inside the frames") {
  FakeClock clock;
  SyntheticFrames source({.pid = 7, .samples = SampleMode::Some}, clock);
  CHECK(source.hello().watched->pid == 7);
  GameFrameBatch frames;
  FaultSampleBatch samples;
  for (int i = 0; i < 300; ++i) {
    clock.tick(50ms + i * 1us);
    source.collect(frames, samples);
  }
  REQUIRE(frames.frames.size() > 2000);
  MonotonicTime end = frames.frames.front().start;
  std::uint64_t number = 0;
  for (const GameFrame& frame : frames.frames) {
    REQUIRE(frame.number == ++number);
    REQUIRE(frame.start == end);
    REQUIRE(frame.minorFaults == (number % 50 == 0    ? kSyntheticBurst
                                  : number % 50 == 25 ? kSyntheticSmallBurst
                                                      : kSyntheticUsualFaults));
    REQUIRE(*frame.faultTime <= frame.duration);
    end = frame.start + frame.duration;
  }
  CHECK(end <= clock.now());
  std::size_t next = 0;
  for (const GameFrame& frame : frames.frames)
    for (std::uint64_t i = 0; i < frame.faults() / kSampleEvery; ++i) {
      const FaultSample& sample = samples.samples.at(next++);
      REQUIRE((sample.time > frame.start && sample.time < frame.start + frame.duration));
      REQUIRE(sample.address >= sample.mapping->begin);
      REQUIRE(sample.address < sample.mapping->end);
    }
  CHECK(next == samples.samples.size());
}

TEST_CASE("The synthetic game's bursts are late because of faults, its small bursts costly, and both have a culprit") {
  FrameJudge judge({});
  SyntheticStacks stacks;
  std::vector<FaultSample> samples;
  for (std::uint64_t n = 1; n <= 1000; ++n) {
    const GameFrame frame = syntheticFrame(n, MonotonicTime{1s});
    const FrameVerdict verdict = judge.judge(frame);
    CHECK(verdict.lateByFaults == (n % 50 == 0));
    CHECK(verdict.costly == (n % 25 == 0));
    if (n > 100) CHECK(verdict.late == (n % 50 == 0 || n % 400 == 130));
    if (n == 500) syntheticSamples(frame, {.samples = SampleMode::Spikes}, samples);
  }
  const Culprits culprits = findCulprits(samples, &stacks);
  REQUIRE(culprits.lines.size() == 4);
  CHECK(culprits.lines.front().name == "Vertices::append (mesh.h:44)");
  CHECK(culprits.threads.size() == 2);
  CHECK(culprits.timed);
}

TEST_CASE("The synthetic game sends as many samples as requested") {
  const GameFrame burst = syntheticFrame(50, {});
  const auto count = [&](const GameFrame& frame, SampleMode mode) {
    std::vector<FaultSample> samples;
    syntheticSamples(frame, {.samples = mode}, samples);
    return samples.size();
  };
  CHECK(count(burst, SampleMode::None) == 0);
  CHECK(count(burst, SampleMode::All) == kSyntheticBurst);
  CHECK(count(burst, SampleMode::Some) == kSyntheticBurst / kSampleEvery);
  CHECK(count(burst, SampleMode::Spikes) < kSyntheticBurst / kSampleEvery);
  CHECK(count(burst, SampleMode::Spikes) > kSyntheticBurst / kSampleEvery / 2);
  CHECK(count(syntheticFrame(51, {}), SampleMode::Spikes) == 0);
}

}  // namespace faultline::test
