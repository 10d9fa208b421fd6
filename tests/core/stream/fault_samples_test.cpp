// Encoding and decoding of fault samples, including hostile input.
#include <catch2/catch_test_macros.hpp>

#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "core/stream/wire.h"
#include "tests/core/stream/samples.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

FaultSample bareSample() {
  FaultSample sample;
  sample.time = {5s};
  sample.thread = 77;
  sample.address = UINT64_MAX;
  return sample;
}

FaultSample fullSample() {
  FaultSample sample = bareSample();
  sample.threadName = "load\xff) (";
  sample.weight = 16;
  sample.major = sample.inKernel = true;
  sample.took = 800ns;
  sample.access = FaultAccess{.write = true, .present = false, .execute = true};
  sample.mapping = FaultMapping{0x1000, 0x9000, true, false, true, true, "/lib/x\n.so"};
  sample.registers = {1, 2, UINT64_MAX};
  sample.stack = {std::byte{1}, std::byte{0}, std::byte{255}};
  return sample;
}

FaultSampleBatch someBatch() {
  return {.lost = 9, .samples = {bareSample(), fullSample()}};
}

std::optional<FaultSampleBatch> arrived(Decoder& decoder, std::span<const std::byte> bytes) {
  decoder.feed(bytes);
  const auto event = decoder.next();
  if (!event || !std::holds_alternative<const FaultSampleBatch*>(*event)) return std::nullopt;
  return *std::get<const FaultSampleBatch*>(*event);
}

struct Pipe {
  Encoder encoder;
  Decoder decoder;
  Pipe() {
    decoder.feed(encoder.hello({}));
    REQUIRE(decoder.next());
  }
};

}  // namespace

TEST_CASE("Fault samples are decoded as they were encoded") {
  Pipe pipe;
  CHECK(arrived(pipe.decoder, pipe.encoder.faultSamples(someBatch())) == someBatch());
  CHECK(arrived(pipe.decoder, pipe.encoder.faultSamples({})) == FaultSampleBatch{});
}

TEST_CASE("Samples beyond the limit are counted as lost; long stacks and names are cut") {
  Pipe pipe;
  FaultSampleBatch batch{.lost = 1, .samples = std::vector<FaultSample>(3000, bareSample())};
  batch.samples[0].stack.resize(13000);
  batch.samples[0].threadName.resize(300, 'x');
  const auto got = arrived(pipe.decoder, pipe.encoder.faultSamples(batch));
  REQUIRE(got);
  CHECK(got->samples.size() == 2048);
  CHECK(got->lost == 1 + 3000 - 2048);
  CHECK(got->samples[0].stack.size() == 8192);
  CHECK(got->samples[0].threadName.size() == 255);
}

TEST_CASE("Samples beyond the room for stacks are counted as lost") {
  Pipe pipe;
  FaultSample deep = bareSample();
  deep.stack.resize(8192);
  const auto got = arrived(pipe.decoder, pipe.encoder.faultSamples({.lost = 0, .samples = {1600, deep}}));
  REQUIRE(got);
  CHECK(got->samples.size() == 1536);
  CHECK(got->lost == 1600 - 1536);
}

TEST_CASE("Invalid samples are damage, and the next batch is read") {
  for (const std::initializer_list<unsigned>& payload : std::initializer_list<std::initializer_list<unsigned>>{
           {0xC0},
           {0x91, 0},                                                            // too short
           {0x92, 0, 0x91, 0x97, 1, 2, 0xC4, 0, 3, 4, 0, 0x90},                  // a sample that is too short
           {0x92, 0, 0x91, 0x98, 0xFF, 2, 0xC4, 0, 3, 4, 0, 0x90, 0xC4, 0},      // a negative time
           {0x92, 0, 0x91, 0x98, 1, 2, 0xC4, 0, 3, 4, 0x40, 0x90, 0xC4, 0},      // a mask bit without its value
           {0x92, 0, 0x91, 0x98, 1, 2, 0xC4, 0, 3, 4, 0, 0xDC, 0, 65, 0xC4, 0},  // too many registers
           {0x92, 0, 0xDD, 0xFF, 0xFF, 0xFF, 0xFF},                              // 2^32 samples
       }) {
    CAPTURE(payload.size());
    Pipe pipe;
    Bytes body;
    for (const unsigned byte : payload) body.push_back(static_cast<std::byte>(byte));
    Bytes bytes;
    append(bytes, wire::packHeader(wire::Kind::FaultSamples, body));
    append(bytes, body);
    pipe.decoder.feed(bytes);
    CHECK_FALSE(pipe.decoder.next());
    CHECK_FALSE(pipe.decoder.failed());
    CHECK(arrived(pipe.decoder, pipe.encoder.faultSamples(someBatch())) == someBatch());
  }
}

}  // namespace faultline::test
