// The frames and fault samples of recordings: compact, with call stacks by name, each once; hostile input.
#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "core/recording/writer.h"
#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "core/stream/recorded_samples_codec.h"
#include "core/stream/wire.h"
#include "tests/core/python.h"
#include "tests/core/stream/print_stream.h"
#include "tests/core/stream/samples.h"
#include "tests/support/heap_bytes.h"
#include "tests/support/some_samples.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

CallStack someStack(int line) {
  StackFrame unnamed = codeOf("");
  unnamed.offset = 0x4711;
  StackFrame header = codeOf("Vertices::append", 44);
  header.inlined = true;
  return {systemCodeOf("memcpy"), header, codeOf("Level::load", line), unnamed, codeOf("main", 3)};
}

// As it is recorded: the offset of a function that has a name is left out.
CallStack recordedStack(int line) {
  CallStack stack = someStack(line);
  for (StackFrame& frame : stack)
    if (!frame.function.empty()) frame.offset = 0;
  return stack;
}

FaultSample someSample(int i) {
  FaultSample sample = sampleAt(5s + i * 10us, static_cast<std::uint64_t>(100 + i));
  sample.weight = 16;
  sample.took = 800ns + i * 1ns;
  sample.mapping = FaultMapping{0x1000, 0x9000, true, false, true, true, "/lib/x\n.so"};
  sample.calls = callsOf(someStack(200 + i % 2));
  return sample;
}

FaultSampleBatch someBatch(int count) {
  FaultSampleBatch batch{.lost = 9, .samples = {}};
  for (int i = 0; i < count; ++i) batch.samples.push_back(someSample(i));
  return batch;
}

std::vector<CallStack> stacksOf(FaultSampleBatch& batch) {
  std::vector<CallStack> stacks;
  for (FaultSample& sample : batch.samples) stacks.push_back(stackOf(std::exchange(sample.calls, nullptr)));
  return stacks;
}

struct RecordedPipe {
  Encoder encoder;
  Decoder decoder;
  RecordedPipe() {
    decoder.feed(encoder.hello({}));
    REQUIRE(decoder.next());
  }
  std::span<const std::byte> encoded(const FaultSampleBatch& batch) {
    std::span<const FaultSample> samples = batch.samples;
    const auto bytes = encoder.recordedSamples(batch.lost, samples);
    REQUIRE(samples.empty());
    return bytes;
  }
  std::optional<FaultSampleBatch> arrived(std::span<const std::byte> bytes) {
    decoder.feed(bytes);
    const auto event = decoder.next();
    if (!event || !std::holds_alternative<const FaultSampleBatch*>(*event)) return std::nullopt;
    return *std::get<const FaultSampleBatch*>(*event);
  }
};

GameFrame recordedFrame(std::uint64_t number, bool full) {
  GameFrame frame;
  frame.number = number;
  frame.start = {number * 16ms};
  frame.duration = 16ms - number * 1us;
  frame.thread = number % 3 == 0 ? 7 : 4'000'000'000U;
  frame.values.set(FrameMetric::MinorFaults, number * 100);
  frame.values.set(FrameMetric::MajorFaults, number % 2);
  if (!full) return frame;
  if (number % 4 == 0) frame.values.clear(FrameMetric::MajorFaults);  // not told apart
  frame.values.set(FrameMetric::ThreadMinorFaults, 12);
  frame.values.set(FrameMetric::ThreadMajorFaults, 0);
  frame.values.set(FrameMetric::ZeroedBytes, UINT64_MAX);
  frame.values.set(FrameMetric::FaultTime, 5ms);
  frame.values.set(FrameMetric::ThreadZeroedBytes, 4096);
  frame.values.set(FrameMetric::ThreadFaultTime, 4ms);
  frame.values.set(FrameMetric::TimedFaults, 3);
  frame.values.setFaultParts(FaultTimeParts{1ms, 2ms, 3ms});
  frame.values.setThreadTime(ThreadTime{.inFaults = {4ms, 5ms, 6ms}, .waiting = 7ms, .sleeping = 8ms});
  frame.values.set(FrameMetric::TeardownTime, 9ms);
  frame.values.set(FrameMetric::ThreadTeardownTime, 0ns);
  frame.values.setDelay(FrameDelay{.added = 5us, .ownAdded = 4us, .ownAwaited = 1ms, .pair = number, .delayed = true});
  return frame;
}

GameFrameBatch someFrames() {
  return {.lost = 3,
          .invalidMarks = 4,
          .state = GameState::Exited,
          .frames = {recordedFrame(5, false), recordedFrame(6, true), recordedFrame(7, true), recordedFrame(2, false)},
          .faultsAfter = 77};
}

Bytes packet(wire::Kind kind, const std::vector<unsigned>& payload) {
  Bytes body;
  for (const unsigned byte : payload) body.push_back(static_cast<std::byte>(byte));
  Bytes bytes;
  append(bytes, wire::packHeader(kind, body));
  append(bytes, body);
  return bytes;
}

}  // namespace

TEST_CASE("Recorded samples are decoded as they were encoded, with their call stacks by name") {
  RecordedPipe pipe;
  FaultSampleBatch bare{.lost = 1, .samples = {FaultSample{}}};
  bare.samples[0].address = UINT64_MAX - 4095;
  CHECK(pipe.arrived(pipe.encoded(bare)) == bare);
  for (int again = 0; again < 2; ++again) {
    auto got = pipe.arrived(pipe.encoded(someBatch(5)));
    REQUIRE(got);
    FaultSampleBatch expected = someBatch(5);
    const auto stacks = stacksOf(*got);
    CHECK(stacks.size() == stacksOf(expected).size());
    CHECK(*got == expected);
    for (std::size_t i = 0; i < stacks.size(); ++i) CHECK(stacks[i] == recordedStack(200 + static_cast<int>(i % 2)));
  }
  CHECK(pipe.arrived(pipe.encoded({})) == FaultSampleBatch{});
}

TEST_CASE("Of an address a recording has the page, and of registers and stack nothing") {
  RecordedPipe pipe;
  FaultSampleBatch batch = someBatch(1);
  batch.samples[0].address = 0x12'3456'789A;
  batch.samples[0].registers = {1, 2};
  batch.samples[0].stack.resize(100, std::byte{'s'});
  const auto got = pipe.arrived(pipe.encoded(batch));
  REQUIRE(got);
  CHECK(got->samples.at(0).address == 0x12'3456'7000);
  CHECK(got->samples.at(0).registers.empty());
  CHECK(got->samples.at(0).stack.empty());
}

TEST_CASE("A call stack and its names are recorded once, and call stacks share their callers in memory") {
  RecordedPipe pipe;
  const std::size_t first = pipe.encoded(someBatch(2)).size();
  RecordedPipe other;
  REQUIRE(other.arrived(other.encoded(someBatch(2))));
  const FaultSampleBatch many = someBatch(1000);
  const auto bytes = other.encoded(many);
  CHECK(bytes.size() < first + 1000 * 8);
  const auto got = other.arrived(bytes);
  REQUIRE(got);
  REQUIRE(got->samples.size() == 1000);
  CHECK(got->samples[0].calls == got->samples[2].calls);
  CHECK(got->samples[0].calls->caller->caller->caller == got->samples[1].calls->caller->caller->caller);
}

TEST_CASE("A batch that exceeds a packet is written as several packets") {
  std::stringbuf file;
  auto writer = RecordingWriter::onto(file, "memory", {});
  REQUIRE(writer);
  REQUIRE(writer->add(someBatch(5000)));
  REQUIRE(writer->finish());
  Decoder decoder;
  decoder.feed(std::as_bytes(std::span(file.view())));
  std::size_t samples = 0;
  for (auto event = decoder.next(); !std::holds_alternative<StreamEnd>(*event); event = decoder.next()) {
    REQUIRE(event);
    if (const auto* batch = std::get_if<const FaultSampleBatch*>(&*event)) samples += (*batch)->samples.size();
  }
  CHECK(samples == 5000);
}

TEST_CASE("Samples that depend on a lost packet are left out, and never get another's call stack") {
  RecordedPipe pipe;
  REQUIRE(pipe.arrived(pipe.encoded(someBatch(1))));
  FaultSampleBatch other = someBatch(2);
  for (FaultSample& sample : other.samples) sample.thread = 4;
  static_cast<void>(pipe.encoded(other));  // lost
  FaultSampleBatch third = someBatch(5);
  third.samples[2].calls = callsOf({codeOf("fresh")});
  third.samples[3] = other.samples[0];
  const auto got = pipe.arrived(pipe.encoded(third));
  REQUIRE(got);
  REQUIRE(got->samples.size() == 3);  // the fourth has the thread of a sample that was lost
  CHECK(stackOf(got->samples[0].calls) == recordedStack(200));
  CHECK(got->samples[1].calls == nullptr);  // its calls were lost
  CHECK(stackOf(got->samples[2].calls).at(0).function == "fresh");
}

TEST_CASE("A writer whose tables are full begins anew, and its readers hold no more than the limit") {
  if (heapBytes() == 0) SKIP("this allocator does not tell");
  RecordedPipe pipe;
  const std::size_t before = heapBytes();
  std::size_t most = 0;
  for (int i = 0; i < 100; ++i) {
    FaultSampleBatch batch;
    for (int j = 0; j < 500; ++j) {
      batch.samples.push_back(someSample(0));
      batch.samples.back().calls = callsOf({codeOf(std::to_string(i * 500 + j) + std::string(900, 'x'))});
    }
    const auto got = pipe.arrived(pipe.encoded(batch));
    REQUIRE(got);
    REQUIRE(got->samples.size() == 500);
    for (const FaultSample& sample : got->samples) REQUIRE(sample.calls != nullptr);
    most = std::max(most, heapBytes() - before);
  }
  CHECK(most < 2 * wire::kMaxTableBytes);  // of writer and reader together
}

TEST_CASE("Long names are cut, and of deep call stacks the innermost calls are recorded") {
  RecordedPipe pipe;
  FaultSampleBatch batch = someBatch(1);
  CallStack deep(3000, codeOf("down"));
  deep.front().function = std::string(5000, 'x');
  batch.samples[0].calls = callsOf(deep);
  const auto got = pipe.arrived(pipe.encoded(batch));
  REQUIRE(got);
  const CallStack stack = stackOf(got->samples.at(0).calls);
  CHECK(stack.size() == wire::kMaxCallDepth);
  CHECK(stack.at(0).function == std::string(wire::kMaxRecordedText, 'x'));
}

TEST_CASE("Recorded frames are decoded as they were encoded") {
  RecordedPipe pipe;
  pipe.decoder.feed(pipe.encoder.recordedFrames(someFrames()));
  const auto event = pipe.decoder.next();
  REQUIRE(event);
  CHECK(*std::get<const GameFrameBatch*>(*event) == someFrames());
}

TEST_CASE("A Python reader written from format.md reads the same recording of a game") {
  std::stringbuf file;
  auto writer = RecordingWriter::onto(file, "memory", someHello());
  REQUIRE(writer);
  REQUIRE(writer->add(someFrames()));
  for (int i = 1; i < 4; ++i) REQUIRE(writer->add(someBatch(i)));
  REQUIRE(writer->finish());
  const auto read = runPython("stream/read_stream.py", file.str());
  if (!read) SKIP("python3 is not installed");
  CHECK(*read == printedStream(file.str()));
}

TEST_CASE("Invalid recorded frames and samples are damage, and the next batch is read") {
  const auto frames = wire::Kind::RecordedFrames;
  const auto samples = wire::Kind::RecordedSamples;
  for (const Bytes& bytes :
       {packet(frames, {0xC0}), packet(frames, {0x93, 0, 0, 0}),                         // too short
        packet(frames, {0x94, 0, 0, 9, 0xC4, 0}),                                        // no such state
        packet(frames, {0x94, 0, 0, 0, 0xC4, 7, 0, 1, 0, 0, 0, 0, 0}),                   // a negative time
        packet(frames, {0x94, 0, 0, 0, 0x05}),                                           // no rows
        packet(samples, {0xC0}), packet(samples, {0x97, 0, 0, 0, 0x90, 0, 0xC4, 0}),     // too short
        packet(samples, {0x98, 0, 0, 0, 0xDD, 0xFF, 0xFF, 0xFF, 0xFF}),                  // 2^32 texts
        packet(samples, {0x98, 0, 0, 0, 0x90, 0, 0xC4, 0, 0xC4, 5, 1, 0, 1, 0, 0, 0xC4,  // a negative time
                         3,    1, 1, 0})}) {
    RecordedPipe pipe;
    pipe.decoder.feed(bytes);
    CHECK_FALSE(pipe.decoder.next());
    CHECK_FALSE(pipe.decoder.failed());
    CHECK(pipe.arrived(pipe.encoded(someBatch(1))));
  }
}

TEST_CASE("Truncated rows and references to nothing are read as unknown") {
  RecordedPipe pipe;
  // A call whose caller and texts do not exist, cut; a context with that call and a text that does not exist.
  const auto got =
      pipe.arrived(packet(wire::Kind::RecordedSamples, {0x98, 0, 0, 0, 0x90, 0,    0xC4, 3, 9, 8, 7, 0xC4, 5,
                                                        5,    6, 1, 0, 1,    0xC4, 6,    1, 2, 0, 1, 2,    0}));
  REQUIRE(got);
  REQUIRE(got->samples.size() == 2);
  CHECK(got->samples[0].thread == 5);
  CHECK(got->samples[0].threadName.empty());
  CHECK(stackOf(got->samples[0].calls) == CallStack{StackFrame{}});
}

}  // namespace faultline::test
