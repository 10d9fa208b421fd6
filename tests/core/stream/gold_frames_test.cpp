// Recordings of a fake_game by earlier versions are read with the values that fake_game is known to have, by the
// decoder and by the Python reader.
#include <catch2/catch_test_macros.hpp>

#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "tests/core/python.h"
#include "tests/core/stream/print_stream.h"
#include "tests/core/stream/samples.h"
#include "tests/support/fixture.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

struct FrameContents {
  std::vector<Hello> hellos;
  std::vector<GameFrame> frames;
  std::vector<FaultSample> samples;
  GameFrameBatch last;
  bool ended = false;
};

FrameContents framesOf(const std::string& bytes) {
  Decoder decoder;
  decoder.feed(std::as_bytes(std::span(bytes)));
  FrameContents contents;
  for (;;) {
    const auto event = decoder.next();
    REQUIRE(event);
    if (std::holds_alternative<NeedMoreBytes>(*event)) break;
    if (const auto* hello = std::get_if<Hello>(&*event)) contents.hellos.push_back(*hello);
    if (const auto* batch = std::get_if<const GameFrameBatch*>(&*event)) {
      contents.last = **batch;
      contents.frames.insert(contents.frames.end(), (*batch)->frames.begin(), (*batch)->frames.end());
    }
    if (const auto* batch = std::get_if<const FaultSampleBatch*>(&*event)) {
      CHECK((*batch)->lost == 0);
      contents.samples.insert(contents.samples.end(), (*batch)->samples.begin(), (*batch)->samples.end());
    }
    contents.ended = std::holds_alternative<StreamEnd>(*event);
  }
  CHECK(decoder.bytesPending() == 0);
  return contents;
}

// Each of 250 frames touches 16 pages, every 50th 8192; half of them in the thread that reaches the mark.
void checkTruth(const FrameContents& contents) {
  CHECK(contents.ended);
  CHECK(contents.last.state == GameState::Exited);
  CHECK(contents.last.lost == 0);
  CHECK(contents.last.invalidMarks == 0);
  REQUIRE(contents.frames.size() == 249);  // the first mark begins the second frame
  MonotonicTime end = contents.frames.front().start;
  for (std::uint64_t number = 2; const GameFrame& frame : contents.frames) {
    CAPTURE(number);
    REQUIRE(frame.number == number);
    REQUIRE(frame.start == end);
    REQUIRE(frame.values.minorFaults() == (number % 50 == 0 ? 8192 : 16));
    REQUIRE(frame.values.get(FrameMetric::ThreadMinorFaults) == frame.values.minorFaults() / 2);
    REQUIRE(frame.values.majorFaults() == 0);
    REQUIRE(frame.values.get(FrameMetric::ThreadMajorFaults) == 0);
    REQUIRE_FALSE(frame.values.get(FrameMetric::ZeroedBytes));
    REQUIRE_FALSE(frame.values.time(FrameMetric::FaultTime));
    end = frame.start + frame.duration;
    ++number;
  }
}

const WatchedGame& watched(const FrameContents& contents) {
  REQUIRE(contents.hellos.size() == 1);
  CHECK(contents.hellos[0].source == "watch");
  REQUIRE(contents.hellos[0].watched);
  const WatchedGame& game = *contents.hellos[0].watched;
  CHECK(game.name == "fake_game");
  CHECK(game.by == FrameEnd::OwnMarks);
  CHECK(game.mark == "render");
  CHECK(game.faults.grade == Grade::Exact);
  CHECK(game.nsPerFault);
  return game;
}

FaultSampleBatch someSamples() {
  FaultSample full{.time = {5s},
                   .thread = 77,
                   .threadName = "load\xff) (",
                   .address = UINT64_MAX,
                   .weight = 16,
                   .major = true,
                   .inKernel = true,
                   .took = 800ns,
                   .access = FaultAccess{.write = true, .present = false, .execute = true},
                   .mapping = FaultMapping{0x1000, 0x9000, true, false, true, true, "/lib/x\n.so"},
                   .registers = {1, 2, UINT64_MAX},
                   .stack = {std::byte{1}, std::byte{0}, std::byte{255}}};
  FaultSample unmapped = full;
  unmapped.mapping.reset();
  unmapped.access = FaultAccess{};
  FaultSample untimed = full;
  untimed.took.reset();
  return {.lost = 9, .samples = {FaultSample{}, full, unmapped, untimed}};
}

GameFrameBatch goldFrames() {
  GameFrameBatch batch{.lost = 3, .invalidMarks = 1, .state = GameState::ProgramLeft, .frames = {GameFrame{}, {}, {}}};
  batch.frames[1].values.set(FrameMetric::ThreadMajorFaults, 4);
  batch.frames[1].values.set(FrameMetric::ThreadFaultTime, 5ns);
  batch.frames[2] = {.number = 1, .start = {2ns}, .duration = 3ns, .thread = 4};
  FrameValues& values = batch.frames[2].values;
  values.setFaults(5, 6);
  values.set(FrameMetric::ThreadMinorFaults, 7);
  values.set(FrameMetric::ThreadMajorFaults, 8);
  values.set(FrameMetric::ZeroedBytes, UINT64_MAX);
  values.set(FrameMetric::FaultTime, 9ns);
  values.set(FrameMetric::ThreadZeroedBytes, 10);
  values.set(FrameMetric::ThreadFaultTime, 11ns);
  values.set(FrameMetric::TimedFaults, 3);
  batch.frames[2].values.setFaultParts(FaultTimeParts{.onProcessor = 2ns, .waiting = 3ns, .blocked = 4ns});
  batch.frames[2].values.setThreadTime(ThreadTime{.inFaults = {1ns, 2ns, 3ns}, .waiting = 5ns, .sleeping = 6ns});
  batch.frames[2].values.set(FrameMetric::TeardownTime, 8ns);
  batch.frames[2].values.set(FrameMetric::ThreadTeardownTime, 7ns);
  batch.frames[1].values.setDelay(FrameDelay{.added = 6ns, .pair = 2});
  batch.frames[2].values.setDelay(
      FrameDelay{.added = 6ns, .ownAdded = 5ns, .ownAwaited = 4ns, .pair = 3, .delayed = true});
  return batch;
}

std::string everyKind() {
  Hello hello = someHello();
  hello.watched = WatchedGame{.pid = 4711,
                              .name = "we b) (x\xff",
                              .by = FrameEnd::Function,
                              .mark = "libSDL2:SDL_GL_SwapWindow",
                              .faults = {Grade::Exact, "counted", "", 64},
                              .zeroed = {Grade::Unavailable, "why", "what", 64},
                              .faultTime = {Grade::Estimated, "so", "", 64},
                              .faultParts = {Grade::Exact, "by the scheduler", "", 64},
                              .faultEfforts = {Grade::Exact, "by reclaim", "", 64},
                              .teardown = {Grade::Exact, "by functions", "", 64},
                              .samples = {Grade::Exact, "every 16th", "", 64},
                              .delay = Quality{Grade::Exact, "by BPF", "", 64},
                              .nsPerFault = 1250.5};
  Encoder encoder;
  Bytes bytes;
  append(bytes, encoder.hello(hello));
  append(bytes, encoder.gameFrames(goldFrames()));
  append(bytes, encoder.faultSamples(someSamples()));
  append(bytes, encoder.gameFrames({}));
  append(bytes, encoder.faultSamples({}));
  append(bytes, encoder.end());
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

}  // namespace

TEST_CASE("A watched game recorded in format 1.2 is read correctly") {
  const FrameContents contents = framesOf(fixture("stream/format_1_2.faultline"));
  checkTruth(contents);
  const WatchedGame& game = watched(contents);
  for (const Quality* unknown : {&game.zeroed, &game.faultTime, &game.samples}) {
    CHECK(unknown->grade == Grade::Unavailable);
    CHECK(unknown->how == "The program that made this stream did not know this number yet.");
  }
}

TEST_CASE("A watched game recorded in format 1.3 is read correctly") {
  const FrameContents contents = framesOf(fixture("stream/format_1_3.faultline"));
  checkTruth(contents);
  CHECK(watched(contents).samples.grade == Grade::Unavailable);
  CHECK(watched(contents).faultParts.how == "The program that made this stream did not know this number yet.");
}

// 16 pages per frame, in every tenth 512 and one that comes 20 ms late, from a thread that keeps the processor for 10
// ms more; half of the 512 in another thread. BPF measured from the 30th frame on.
TEST_CASE("The parts of fault time recorded in format 1.4 are read correctly") {
  const FrameContents contents = framesOf(fixture("stream/format_1_4.faultline"));
  CHECK(contents.ended);
  CHECK(contents.hellos.back().watched->faultParts.grade == Grade::Exact);
  CHECK(contents.hellos.back().watched->teardown.how ==
        "The program that made this stream did not know this number yet.");
  REQUIRE(contents.frames.size() == 99);
  for (const GameFrame& frame : contents.frames) {
    CAPTURE(frame.number);
    const bool late = frame.number % 10 == 0;
    if (frame.number <= 30) {
      CHECK_FALSE(frame.values.faultParts());
      continue;
    }
    CHECK(frame.values.minorFaults() == (late ? 513 : 16));
    CHECK(frame.values.get(FrameMetric::ThreadMinorFaults) == (late ? 257 : 8));
    CHECK_FALSE(frame.values.get(FrameMetric::TimedFaults));  // all
    REQUIRE(frame.values.time(FrameMetric::FaultTime));
    REQUIRE(frame.values.faultParts());
    const auto [onProcessor, waiting, blocked] = *frame.values.faultParts();
    CHECK(onProcessor + waiting + blocked == *frame.values.time(FrameMetric::FaultTime));
    CHECK(onProcessor > 0ns);
    CHECK((blocked >= 20ms) == late);
    CHECK((waiting >= 10ms) == late);
  }
}

// 16 pages per frame, 64 in every tenth; frames end at calls of a function; every 16th fault is sampled.
TEST_CASE("Fault samples recorded in format 1.3 are read correctly") {
  const FrameContents contents = framesOf(fixture("stream/format_1_3_samples.faultline"));
  REQUIRE(contents.hellos.size() == 2);
  CHECK(contents.hellos[0].watched->mark.empty());  // before the first call
  CHECK(contents.hellos[1].watched->mark == "fakeGamePresent");
  CHECK(contents.hellos[1].watched->by == FrameEnd::Function);
  CHECK(contents.hellos[1].watched->samples.grade == Grade::Exact);
  REQUIRE(contents.frames.size() == 16);
  std::uint64_t faults = 0;
  for (const GameFrame& frame : contents.frames) {
    CAPTURE(frame.number);
    CHECK(frame.values.minorFaults() == (frame.number % 10 == 8 ? 64 : 16));
    CHECK(frame.values.get(FrameMetric::ThreadMinorFaults) == frame.values.minorFaults() / 2);
    CHECK(frame.values.get(FrameMetric::ZeroedBytes) == frame.values.minorFaults() * 4096);
    CHECK(frame.values.get(FrameMetric::ThreadZeroedBytes) == frame.values.minorFaults() * 2048);
    CHECK(frame.values.time(FrameMetric::FaultTime) > frame.values.time(FrameMetric::ThreadFaultTime));
    CHECK(frame.values.time(FrameMetric::FaultTime) < frame.duration);
    faults += frame.values.minorFaults();
  }
  CHECK(faults == 14 * 16 + 2 * 64);
  CHECK(contents.samples.size() == 24);
  for (const FaultSample& sample : contents.samples) {
    CHECK(sample.threadName == "fake_game");
    CHECK(sample.weight == 16);
    CHECK(sample.took > 0ns);
    CHECK(sample.access);
    CHECK(sample.registers.size() == 17);
    CHECK(sample.stack.size() == 2048);
    REQUIRE(sample.mapping);
    CHECK(sample.mapping->begin <= sample.address);
    CHECK(sample.address < sample.mapping->end);
  }
}

// A synthetic game: 16 faults per frame, 8192 in every 50th frame and 1200 in every 50th from the 25th on, of 1.7 us.
TEST_CASE("Frames and call stacks recorded in format 1.8 are read correctly") {
  const FrameContents contents = framesOf(fixture("stream/format_1_8_frames.faultline"));
  CHECK(contents.ended);
  REQUIRE(contents.frames.size() == 92);
  MonotonicTime end = contents.frames.front().start;
  for (std::uint64_t number = 1; const GameFrame& frame : contents.frames) {
    CHECK(frame.number == number);
    CHECK(frame.start == end);
    CHECK(frame.values.minorFaults() == (number % 50 == 0 ? 8192 : number % 50 == 25 ? 1200 : 16));
    CHECK(frame.values.time(FrameMetric::FaultTime) == static_cast<std::int64_t>(frame.values.minorFaults()) * 1700ns);
    end = frame.end();
    ++number;
  }
  std::uint64_t faults = 0;
  std::uint64_t unpacking = 0;
  for (const FaultSample& sample : contents.samples) {
    CHECK(sample.took == 1700ns);
    const CallStack stack = stackOf(sample.calls);
    REQUIRE(stack.size() > 1);
    faults += sample.weight;
    if (stack.front().function == "Vertices::append" && stack.at(1).function == "Mesh::unpack")
      unpacking += sample.weight;
  }
  CHECK(faults == 7936 + 2 * 944);     // sampling begins after 417 us of a frame's faults
  CHECK(unpacking == 3968 + 2 * 512);  // the first 8 of 16 samples
}

TEST_CASE("A Python reader written from format.md reads the same watched game") {
  for (const std::string& bytes :
       {fixture("stream/format_1_2.faultline"), fixture("stream/format_1_3.faultline"),
        fixture("stream/format_1_3_samples.faultline"), fixture("stream/format_1_4.faultline"),
        fixture("stream/format_1_8_frames.faultline"), everyKind()}) {
    const auto read = runPython("stream/read_stream.py", bytes);
    if (!read) SKIP("python3 is not installed");
    CHECK(*read == printedStream(bytes));
  }
}

}  // namespace faultline::test
