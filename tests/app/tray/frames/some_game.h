// A game's stream from a collector: frames of 4 ms with 16 faults, every 50th of 24 ms with 8192, and
// samples of these that SyntheticStacks can read.
#pragma once

#include <utility>

#include "core/culprits/synthetic_stacks.h"
#include "core/stream/encoder.h"
#include "tests/app/tray/fake_collector.h"

namespace faultline {

inline Hello gameHello() {
  Hello hello = testHello();
  hello.source = "watch";
  WatchedGame game;
  game.pid = 4711;
  game.name = "game";
  game.by = FrameEnd::OwnMarks;
  game.mark = "render";
  game.faults = {Grade::Exact, "the game's own counts", {}, 64};
  game.faultTime = {Grade::Exact, "BPF", {}, 64};
  game.zeroed = {Grade::Unavailable, "not measured", "Grant it.", 64};
  game.samples = {Grade::Exact, "every 16th", {}, 64};
  hello.watched = game;
  return hello;
}

inline GameFrame gameFrame(std::uint64_t number) {
  GameFrame frame;
  const std::uint64_t bursts = (number - 1) / 50;  // before this frame
  frame.number = number;
  frame.start =
      MonotonicTime{std::chrono::seconds(1000) + static_cast<std::int64_t>(number - 1) * std::chrono::milliseconds(4) +
                    static_cast<std::int64_t>(bursts) * std::chrono::milliseconds(20)};
  const bool burst = number % 50 == 0;
  frame.duration = std::chrono::milliseconds(burst ? 24 : 4);
  frame.thread = 4711;
  frame.values.set(FrameMetric::MinorFaults, burst ? 8192 : 16);
  frame.values.set(FrameMetric::ThreadMinorFaults, frame.values.minorFaults() / 2);
  frame.values.set(FrameMetric::ThreadMajorFaults, 0);
  frame.values.set(FrameMetric::FaultTime, std::chrono::microseconds(burst ? 19'000 : 20));
  return frame;
}

inline std::vector<FaultSample> gameSamples(const GameFrame& frame, std::size_t count) {
  std::vector<FaultSample> samples(count);
  for (std::size_t i = 0; i < count; ++i) {
    samples[i].time = frame.start + std::chrono::microseconds(10 + i);
    samples[i].thread = 4711;
    samples[i].threadName = "main";
    samples[i].weight = frame.faults() / count;
    samples[i].registers = registersOf(i % 4 == 0 ? SyntheticStack::DecodeTexture : SyntheticStack::UnpackMesh);
  }
  return samples;
}

struct GameStream {
  std::uint64_t frames = 200;
  std::uint64_t first = 1;
  GameState state = GameState::Running;
  bool ended = false;
  bool recorded = false;  // as a recording has it: call stacks by name
  bool sampled = true;    // else the kernel refuses
  bool delayed = false;   // every 2nd frame, in its faults
};

inline QByteArray gameStream(const GameStream& wanted) {
  Encoder encoder;
  QByteArray bytes;
  const auto append = appenderTo(bytes);
  Hello hello = gameHello();
  if (!wanted.sampled) hello.watched->samples = {Grade::Unavailable, "perf_event_open: EACCES.", "Ask root.", 64};
  if (wanted.delayed) hello.watched->delay = {Grade::Exact, "BPF", {}, 64};
  append(encoder.hello(hello));
  GameFrameBatch frames;
  FaultSampleBatch samples;
  for (std::uint64_t number = wanted.first; number < wanted.first + wanted.frames; ++number) {
    frames.frames.push_back(gameFrame(number));
    if (wanted.delayed)
      frames.frames.back().values.setDelay(FrameDelay{
          .added = std::chrono::microseconds(number % 2 * 32), .pair = 1 + number / 32, .delayed = number % 2 == 1});
    if (wanted.sampled && number % 50 == 0)
      for (FaultSample& sample : gameSamples(gameFrame(number), 64)) samples.samples.push_back(std::move(sample));
    if (wanted.recorded || number % 1000 != 0) continue;
    append(encoder.faultSamples(std::exchange(samples, {})));
    append(encoder.gameFrames(std::exchange(frames, {})));
  }
  frames.state = wanted.state;
  if (wanted.recorded) {
    for (FaultSample& sample : samples.samples) sample.calls = callsOf(SyntheticStacks().read(sample));
    append(encoder.recordedFrames(frames));
    for (std::span<const FaultSample> rest = samples.samples; !rest.empty();)
      append(encoder.recordedSamples(samples.lost, rest));
  } else {
    append(encoder.faultSamples(samples));
    append(encoder.gameFrames(frames));
  }
  if (wanted.ended) append(encoder.end());
  return bytes;
}

}  // namespace faultline
