// A recording that the window wrote has the samples of a frame once their call stacks were read, seconds after the
// frame.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "app/cli/frames/watch.h"
#include "core/culprits/synthetic_stacks.h"

namespace faultline::test {

using namespace std::chrono_literals;

TEST_CASE("Samples that a recording has seconds after their frame name its culprits") {
  Hello hello;
  hello.watched.emplace().by = FrameEnd::OwnMarks;
  hello.watched->pid = 7;
  hello.watched->name = "game";
  hello.watched->nsPerFault = 1000;
  GameFrameBatch batch;
  for (int i = 0; i < 100; ++i) {
    GameFrame& frame = batch.frames.emplace_back();
    frame.number = static_cast<std::uint64_t>(i);
    frame.start = {1s + i * 40ms};
    frame.duration = i == 20 ? 29ms : 10ms;
    frame.thread = 7;
    frame.values.setFaults(i == 20 ? 20'000 : 16, 0);
    frame.values.set(FrameMetric::ThreadMinorFaults, frame.values.minorFaults());
    frame.values.set(FrameMetric::ThreadMajorFaults, std::uint64_t{0});
  }
  FaultSampleBatch samples;
  FaultSample& sample = samples.samples.emplace_back();
  sample.time = batch.frames[20].start + 1ms;
  sample.weight = 20'000;
  sample.registers = registersOf(SyntheticStack::DecodeTexture);
  SyntheticStacks reader;
  sample = resolved(std::move(sample), &reader);

  std::string text;
  FrameFiles files;
  files.openText(text, *std::ranges::find(kFrameFormats, "csv", &FrameFormat::name));
  FrameWatch watch({}, std::move(files));
  watch.replay("game.faultline", 0ns, Nanoseconds::max());
  REQUIRE(watch.take(StreamEvent(hello)));
  REQUIRE(watch.take(StreamEvent(&std::as_const(batch))));
  REQUIRE(watch.take(StreamEvent(&std::as_const(samples))));
  REQUIRE(watch.take(StreamEvent(StreamEnd{})));
  REQUIRE(watch.finish());
  CHECK(text.find("100 % in ") != std::string::npos);
}

}  // namespace faultline::test
