// Encoding and decoding of a game's frames, including hostile input.
#include <catch2/catch_test_macros.hpp>

#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "core/stream/wire.h"
#include "tests/core/stream/samples.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

GameFrame someFrame(std::uint64_t number) {
  GameFrame frame;
  frame.number = number;
  frame.start = {5s + static_cast<std::int64_t>(number) * 4ms};
  frame.duration = 4ms;
  frame.thread = 77;
  frame.values.set(FrameMetric::MinorFaults, 16);
  frame.values.set(FrameMetric::MajorFaults, number % 3);
  return frame;
}

GameFrameBatch someFrameBatch() {
  GameFrameBatch batch{.lost = 3,
                       .invalidMarks = 1,
                       .state = GameState::Exited,
                       .frames = {someFrame(1), someFrame(2)},
                       .faultsAfter = 3000};
  batch.frames[0].values.clear(FrameMetric::MajorFaults);  // not told apart
  batch.frames[1].values.set(FrameMetric::ThreadMinorFaults, 8);
  batch.frames[1].values.set(FrameMetric::ZeroedBytes, UINT64_MAX);
  batch.frames[1].values.set(FrameMetric::FaultTime, 3ms);
  batch.frames[1].values.set(FrameMetric::ThreadZeroedBytes, 4096);
  batch.frames[1].values.set(FrameMetric::ThreadFaultTime, 0ns);
  batch.frames[1].values.set(FrameMetric::TimedFaults, 5);
  batch.frames[0].values.setDelay(FrameDelay{.added = 3us, .pair = 9});
  batch.frames[1].values.setDelay(
      FrameDelay{.added = 4us, .ownAdded = 1us, .ownAwaited = 2ms, .pair = 9, .delayed = true});
  return batch;
}

Decoder afterHello(const Hello& hello, Encoder& encoder) {
  Decoder decoder;
  decoder.feed(encoder.hello(hello));
  const auto event = decoder.next();
  REQUIRE(event);
  CHECK(std::get<Hello>(*event) == hello);
  return decoder;
}

std::optional<GameFrameBatch> arrivedFrames(Decoder& decoder, std::span<const std::byte> bytes) {
  decoder.feed(bytes);
  const auto event = decoder.next();
  if (!event || !std::holds_alternative<const GameFrameBatch*>(*event)) return std::nullopt;
  return *std::get<const GameFrameBatch*>(*event);
}

}  // namespace

TEST_CASE("Batches of frames and the watched game are decoded as they were encoded") {
  Hello hello = someHello();
  hello.source = "watch";
  hello.watched = WatchedGame{.pid = 4711,
                              .name = "we b) (x\xff",
                              .by = FrameEnd::OwnMarks,
                              .mark = "render",
                              .faults = {Grade::Exact, "by the game", "nothing", 64},
                              .zeroed = {Grade::Unavailable, "why", "what", 64},
                              .faultTime = {Grade::Estimated, "so", "", 64},
                              .samples = {Grade::Exact, "every 16th", "", 64},
                              .delay = Quality{Grade::Exact, "by BPF", "", 64},
                              .handedOut = ProbePoint{"/lib/d\xff.so", 4096, "vkQueuePresentKHR (d.so)"},
                              .nsPerFault = 1250.5};
  Encoder encoder;
  Decoder decoder = afterHello(hello, encoder);
  CHECK(arrivedFrames(decoder, encoder.gameFrames(someFrameBatch())) == someFrameBatch());
  CHECK(arrivedFrames(decoder, encoder.gameFrames({})) == GameFrameBatch{});
  decoder.feed(encoder.end());
  CHECK(std::holds_alternative<StreamEnd>(*decoder.next()));
}

TEST_CASE("Frames beyond the limit of a batch are counted as lost") {
  Encoder encoder;
  Decoder decoder = afterHello({}, encoder);
  GameFrameBatch batch;
  for (std::uint64_t i = 0; i < 70'000; ++i) batch.frames.push_back(someFrame(i));
  const auto got = arrivedFrames(decoder, encoder.gameFrames(batch));
  REQUIRE(got);
  CHECK(got->frames.size() == 65'536);
  CHECK(got->lost == 70'000 - 65'536);
}

TEST_CASE("An invalid batch is damage, and the next batch is read") {
  Encoder encoder;
  for (const std::initializer_list<unsigned>& payload : std::initializer_list<std::initializer_list<unsigned>>{
           {0xC0},
           {0x93, 0, 0, 0},                                      // too short
           {0x94, 0, 0, 9, 0x90},                                // no such state
           {0x94, 0, 0, 0, 0x91, 0x96, 1, 2, 3, 4, 5, 6},        // a frame that is too short
           {0x94, 0, 0, 0, 0x91, 0x97, 1, 2, 3, 4, 5, 6, 1},     // a mask bit without its value
           {0x94, 0, 0, 0, 0x91, 0x97, 1, 0xFF, 3, 4, 5, 6, 0},  // a negative time
           {0x94, 0, 0, 0, 0x91, 0x97, 1, 2, 0xFF, 4, 5, 6, 0},  // a negative duration
           {0x94, 0, 0, 0, 0xDD, 0xFF, 0xFF, 0xFF, 0xFF},        // 2^32 frames
           {0x94, 0, 0, 0, 0x91, 0x98, 1, 2, 3, 4, 5, 6, 8, 0xCF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF},
       }) {
    CAPTURE(payload.size());
    Encoder fresh;
    Decoder decoder = afterHello({}, fresh);
    Bytes body;
    for (const unsigned byte : payload) body.push_back(static_cast<std::byte>(byte));
    Bytes bytes;
    append(bytes, wire::packHeader(wire::Kind::GameFrames, body));
    append(bytes, body);
    decoder.feed(bytes);
    CHECK_FALSE(decoder.next());
    CHECK_FALSE(decoder.failed());
    CHECK(arrivedFrames(decoder, fresh.gameFrames(someFrameBatch())) == someFrameBatch());
  }
}

}  // namespace faultline::test
