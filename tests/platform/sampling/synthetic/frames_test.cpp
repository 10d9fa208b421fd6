#include "platform/sampling/synthetic/frames.h"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "core/culprits/culprits.h"
#include "core/culprits/synthetic_stacks.h"
#include "core/frames/tally.h"
#include "core/recording/writer.h"
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
    REQUIRE(frame.values.minorFaults() == (number % 50 == 0    ? kSyntheticBurst
                                           : number % 50 == 25 ? kSyntheticSmallBurst
                                                               : kSyntheticUsualFaults));
    REQUIRE(*frame.values.time(FrameMetric::FaultTime) <= frame.duration);
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

TEST_CASE("Ten minutes of 240 frames/s of a game with 200 faults in each take less than 20 MB, with all call stacks") {
  constexpr std::uint64_t kFrames = 240 * 60;  // a minute
  constexpr std::uint64_t kInBatch = 12;       // of 50 ms
  std::stringbuf file;
  auto writer = RecordingWriter::onto(file, "memory", SyntheticFrames({.pid = 7}, FakeClock()).hello());
  REQUIRE(writer);
  SyntheticStacks stacks;
  FrameJudge judge({});
  const WatchOptions options{.samples = SampleMode::Spikes, .sampleAfter = kDefaultBudget / 40};
  GameFrameBatch batch;
  std::uint64_t faults = 0;
  std::uint64_t flagged = 0;
  for (std::uint64_t n = 1; n <= kFrames; ++n) {
    const GameFrame frame = syntheticFrame(n, MonotonicTime{1s});
    faults += frame.faults();
    batch.frames.push_back(frame);
    std::vector<FaultSample> all;
    if (JudgedFrame{frame, judge.judge(frame)}.flagged()) syntheticSamples(frame, options, all);
    FaultSampleBatch samples;
    forSomeOf(all, 256, [&](const FaultSample& sample) {  // as faultline-cli records them
      samples.samples.push_back(sample);
      samples.samples.back().calls = callsOf(stacks.read(sample));
    });
    if (!all.empty()) {
      ++flagged;
      REQUIRE(writer->add(samples));
    }
    if (n % kInBatch == 0) {
      REQUIRE(writer->add(batch));
      batch.frames.clear();
    }
  }
  CHECK(faults / kFrames >= 200);
  CHECK(flagged == kFrames / 25);
  CAPTURE(writer->bytes() / kFrames);
  CHECK(writer->bytes() * 10 < 20'000'000);
}

}  // namespace faultline::test
