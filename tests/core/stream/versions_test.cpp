// Streams of newer and older writers, and packets with valid checksums but invalid contents.
#include <catch2/catch_test_macros.hpp>
#include <initializer_list>

#include "core/monitor/monitor.h"
#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "core/stream/tokens.h"
#include "core/stream/wire.h"
#include "tests/core/stream/samples.h"
#include "tests/support/guard_page.h"
#include "tests/support/heap_bytes.h"

namespace faultline::test {
namespace {

Bytes packet(unsigned kind, const std::vector<unsigned>& payload) {
  Bytes body;
  for (const unsigned byte : payload) body.push_back(static_cast<std::byte>(byte));
  Bytes bytes;
  append(bytes, wire::packHeader(static_cast<wire::Kind>(kind), body));
  append(bytes, body);
  return bytes;
}

Decoder afterHello() {
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(someHello()));
  REQUIRE(decoder.next());
  return decoder;
}

// The one process that a snapshot written by hand holds, if it was accepted.
std::optional<Snapshot> accepted(Decoder& decoder, const Bytes& bytes) {
  decoder.feed(bytes);
  const auto event = decoder.next();
  if (!event || !std::holds_alternative<const Snapshot*>(*event)) return std::nullopt;
  return *std::get<const Snapshot*>(*event);
}

void appendNumber(Bytes& bytes, unsigned head, std::uint32_t number) {
  bytes.push_back(static_cast<std::byte>(head));
  for (const unsigned shift : {24U, 16U, 8U, 0U}) bytes.push_back(static_cast<std::byte>(number >> shift & 0xFFU));
}

// A key snapshot of so many processes, each with that name and no value.
Bytes keyOf(std::uint32_t count, const std::string& name) {
  Bytes body;
  for (const unsigned byte : {0x9AU, 0U, 1U, 2U, 3U, 4U, 0U, 0x91U, 0U, 0x90U, 0x90U})
    body.push_back(static_cast<std::byte>(byte));
  appendNumber(body, 0xDDU, count);
  for (std::uint32_t pid = 1000; pid < 1000 + count; ++pid) {
    body.push_back(std::byte{0x94});
    appendNumber(body, 0xCEU, pid);
    body.push_back(std::byte{6});
    appendNumber(body, 0xC6U, static_cast<std::uint32_t>(name.size()));
    append(body, std::as_bytes(std::span(name)));
    body.push_back(std::byte{0});
  }
  Bytes bytes;
  append(bytes, wire::packHeader(wire::Kind::Key, body));
  append(bytes, body);
  return bytes;
}

// Sequence, time, wall, suspended, scan, shift; system; gone; changed; whole: pid 5, start 6, name "x", minor faults 8.
constexpr auto kPlain = {0x9AU, 0U,    1U,    2U, 3U, 4U,    0U, 0x91U, 0U, 0x90U,
                         0x90U, 0x91U, 0x95U, 5U, 6U, 0xC4U, 1U, 0x78U, 1U, 8U};

}  // namespace

TEST_CASE("A packet of an unknown kind is skipped, and nothing is lost") {
  Decoder decoder = afterHello();
  decoder.feed(packet(99, {0xC0}));
  const auto snapshot = accepted(decoder, packet(2, kPlain));
  REQUIRE(snapshot);
  CHECK(snapshot->processes.at(0).values.get(ProcessMetric::MinorFaults) == 8);
  CHECK(decoder.snapshotsLost() == 0);
}

TEST_CASE("Metrics and fields appended by a newer writer are skipped") {
  Decoder decoder = afterHello();
  // Bit 31 in the masks of system and process, an extra element in the record and at the end.
  const auto snapshot =
      accepted(decoder, packet(2, {0x9D, 0, 1, 2,    3,    4,    0,    0x93, 0xCE, 0x80, 0,    0,    1,    7,
                                   0xCD, 1, 2, 0x90, 0x90, 0x91, 0x98, 5,    6,    0xC4, 1,    0x78, 0xCE, 0x80,
                                   0,    0, 1, 8,    9,    0xC4, 1,    0x75, 0x91, 0xC0, 0x90, 0x91, 0,    0x80}));
  REQUIRE(snapshot);
  CHECK(snapshot->system.get(SystemMetric::Faults) == 7);
  CHECK(snapshot->system.present() == 1);
  CHECK(snapshot->processes.at(0).values.get(ProcessMetric::MinorFaults) == 8);
  CHECK(snapshot->processes.at(0).values.present() == 1);
  CHECK(snapshot->processes.at(0).service == "u");
}

TEST_CASE("Durations of faults are absent from older streams, and buckets of newer ones are skipped") {
  const auto with = [](const std::vector<unsigned>& durations) {
    std::vector<unsigned> body(kPlain);
    body.front() = 0x9C;   // twelve elements
    body.push_back(0x90);  // no process has ended
    body.insert(body.end(), durations.begin(), durations.end());
    return packet(2, body);
  };
  std::vector<unsigned> of40{0xDC, 0, 41, 9};
  of40.resize(of40.size() + 40, 1);
  Decoder decoder = afterHello();
  const auto older = accepted(decoder, packet(2, kPlain));
  REQUIRE(older);
  CHECK_FALSE(older->faultDurations);
  const auto few = accepted(decoder, with({0x93, 7, 1, 2}));
  REQUIRE((few && few->faultDurations));
  CHECK(few->faultDurations->ns == 7);
  CHECK(few->faultDurations->faults[1] == 2);
  CHECK(few->faultDurations->count() == 3);
  const auto more = accepted(decoder, with(of40));
  REQUIRE((more && more->faultDurations));
  CHECK(more->faultDurations->ns == 9);
  CHECK(more->faultDurations->count() == FaultDurations::kBuckets);
  for (const std::vector<unsigned>& invalid : std::vector<std::vector<unsigned>>{
           {0x90}, {0xC0}, {0x92, 7, 0xC0}, {0x9F, 7, 1}}) {  // no sum, no array, no number, too few
    CHECK_FALSE(accepted(decoder, with(invalid)));
    CHECK(accepted(decoder, packet(2, kPlain)));
  }
}

TEST_CASE("Metrics unknown to an older writer are unavailable, with the reason") {
  Decoder decoder;
  Encoder encoder;
  decoder.feed(encoder.hello({}));
  REQUIRE(decoder.next());
  decoder.feed(packet(1, {0x80}));
  const auto event = decoder.next();
  REQUIRE(event);
  const Quality& quality = std::get<Hello>(*event).quality(ProcessMetric::ZeroedBytes);
  CHECK(quality.grade == Grade::Unavailable);
  CHECK(quality.how == "The program that made this stream did not know this number yet.");
  CHECK(ofNoConcern(quality));
}

TEST_CASE("Invalid contents are damage despite a valid checksum") {
  const std::vector<Bytes> invalid{
      packet(2, {}), packet(2, {0xC0}), packet(2, {0x90}),
      packet(2, {0xDD, 0xFF, 0xFF, 0xFF, 0xFF}),                                         // claims 2^32 elements
      packet(2, {0xC6, 0xFF, 0xFF, 0xFF, 0xFF}),                                         // claims 4 GiB of bytes
      packet(2, {0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0x91, 0}),  // too deep
      packet(2, {0x9A, 0, 1, 2, 3, 4, 64, 0x91, 0, 0x90, 0x90, 0x90}),                   // no such shift
      packet(2, {0x9A, 0, 1, 2, 3, 4, 0, 0x91, 1, 0x90, 0x90, 0x90}),                    // mask bit without its value
      packet(2, {0x9A, 0, 1, 2, 3, 4, 0, 0x91, 0, 0x91, 0, 0x90, 0x90}),                 // gone from an empty list
      packet(2, {0x9A, 0, 1, 2, 3, 4, 0, 0x91, 0, 0x90, 0x92, 0, 0, 0x90}),              // changed in an empty list
      packet(2, {0x9A, 0, 1, 2,    3, 4, 0, 0x91, 0, 0x90, 0x90, 0x92, 0x94, 5, 6, 0xA0, 0,  // the same process twice
                 0x94, 5, 6, 0xA0, 0}),
      // The same process alive and ended.
      packet(2, {0x9B, 0, 1, 2, 3, 4, 0, 0x91, 0, 0x90, 0x90, 0x91, 0x94, 5, 6, 0xA0, 0, 0x91, 0x94, 5, 6, 0xA0, 0}),
      // Negative or far future: sweep time, wall time, suspend, length of the sweep, start time.
      packet(2, {0x9A, 0, 0xFF, 2, 3, 4, 0, 0x91, 0, 0x90, 0x90, 0x90}),
      packet(2, {0x9A, 0, 0xCF, 0x10, 0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 0, 0x91, 0, 0x90, 0x90, 0x90}),
      packet(2, {0x9A, 0, 1, 0xCF, 0x40, 0, 0, 0, 0, 0, 0, 0, 3, 4, 0, 0x91, 0, 0x90, 0x90, 0x90}),
      packet(2, {0x9A, 0, 1, 2, 0xD3, 0x80, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0x91, 0, 0x90, 0x90, 0x90}),
      packet(2, {0x9A, 0, 1, 2, 3, 0xCF, 0x10, 0, 0, 0, 0, 0, 0, 0, 0, 0x91, 0, 0x90, 0x90, 0x90}),
      packet(2, {0x9A, 0, 1, 2, 3, 4, 0, 0x91, 0, 0x90, 0x90, 0x91, 0x94, 5, 0xCF, 0x40, 0, 0, 0, 0, 0, 0, 0, 0xA0, 0}),
      packet(1, {0x81, 0xAB, 'i', 'n', 't', 'e', 'r', 'v', 'a', 'l', '_', 'n', 's', 0xFF}),
      // A pid of more than 32 bits.
      packet(2, {0x9A, 0, 1, 2, 3, 4, 0, 0x91, 0, 0x90, 0x90, 0x91, 0x94, 0xCF, 0, 0, 0, 1, 0, 0, 0, 5, 6, 0xA0, 0}),
      packet(3, kPlain),  // a delta to nothing
  };
  for (const Bytes& bytes : invalid) {
    CAPTURE(&bytes - invalid.data());
    Decoder decoder = afterHello();
    decoder.feed(bytes);
    CHECK_FALSE(decoder.next());
    CHECK_FALSE(decoder.failed());
    CHECK(accepted(decoder, packet(2, kPlain)));  // the next valid packet is decoded
  }
}

TEST_CASE("A change of a metric that the process does not have is damage") {
  Decoder decoder = afterHello();
  REQUIRE(accepted(decoder, packet(2, kPlain)));
  const Bytes other = packet(3, {0x9A, 1, 1, 2, 3, 4, 0, 0x91, 0, 0x90, 0x93, 0, 2, 1, 0x90});
  CHECK_FALSE(accepted(decoder, other));
}

TEST_CASE("Deltas cannot add processes without limit") {
  const Bytes oneMore = packet(3, {0x9A, 1, 1, 2, 3, 4, 0, 0x91, 0, 0x90, 0x90, 0x91, 0x94, 5, 6, 0xA0, 0});
  for (const std::size_t count : {wire::kMaxListed - 1, wire::kMaxListed}) {
    Decoder decoder = afterHello();
    REQUIRE(accepted(decoder, keyOf(static_cast<std::uint32_t>(count), "")));
    CHECK(accepted(decoder, oneMore).has_value() == (count < wire::kMaxListed));
  }
}

TEST_CASE("Processes beyond the limit are omitted and counted") {
  Decoder decoder = afterHello();
  const auto snapshot = accepted(decoder, keyOf(wire::kMaxListed, "x"));
  REQUIRE(snapshot);
  CHECK(snapshot->processes.size() == wire::kMaxProcesses);
  CHECK(snapshot->system.get(SystemMetric::ProcessesLeftOut) == wire::kMaxListed - wire::kMaxProcesses);
}

TEST_CASE("Overlong names and texts are cut when decoded") {
  Decoder decoder = afterHello();
  const auto snapshot = accepted(decoder, keyOf(1, std::string(15U << 20U, 'x')));
  REQUIRE(snapshot);
  CHECK(snapshot->processes.at(0).name == std::string(wire::kMaxName, 'x'));

  const std::string text(1U << 20U, 'y');
  Hello hello = someHello();
  hello.version = hello.source = hello.clock = hello.machine.system = hello.machine.processor = text;
  hello.process.fill({.grade = Grade::Exact, .how = std::string(200'000, 'z'), .enable = {}});
  Encoder encoder;
  decoder.feed(encoder.hello(hello));
  const auto event = decoder.next();
  REQUIRE(event);
  const auto* const got = std::get_if<Hello>(&*event);
  REQUIRE(got != nullptr);
  for (const std::string& cut : {got->version, got->source, got->clock, got->machine.system, got->machine.processor})
    CHECK(cut.size() == wire::kMaxText);
  for (const Quality& quality : got->process) CHECK(quality.how.size() == wire::kMaxText);
}

TEST_CASE("A small recording cannot make the decoder use much memory") {
  if (heapBytes() == 0) SKIP("this allocator does not tell");
  for (const auto& [count, bytes] : {std::pair(wire::kMaxListed, std::size_t{1}), {1U, std::size_t{15} << 20U}}) {
    CAPTURE(count, bytes);
    const std::size_t before = heapBytes();
    std::size_t most = 0;
    Decoder decoder = afterHello();
    Monitor monitor;
    for (char letter = 'a'; letter < 'g'; ++letter) {
      decoder.feed(keyOf(static_cast<std::uint32_t>(count), std::string(bytes, letter)));
      const auto event = decoder.next();
      REQUIRE(event);
      monitor.ingest(*std::get<const Snapshot*>(*event));
      most = std::max(most, heapBytes() - before);
    }
    CHECK(most < std::size_t{192} << 20U);  // twice 16 MiB of payload, twice their tokens, and the result
  }
}

TEST_CASE("A missing snapshot is detected by its number, reported once, and counted") {
  const auto snapshots = eventfulSnapshots(6);
  Encoder encoder;
  Decoder decoder;
  decoder.feed(encoder.hello(someHello()));
  REQUIRE(decoder.next());
  for (std::size_t i = 0; i < 6; ++i) {
    const auto bytes = encoder.snapshot(snapshots[i]);
    if (i == 2) continue;
    decoder.feed(bytes);
    CHECK(decoder.next().has_value() == (i != 3));
  }
  CHECK(decoder.snapshotsLost() == 3);  // the missing one and the two deltas that depend on it
}

TEST_CASE("MessagePack is never read past its end") {
  Encoder encoder;
  const auto bytes = encoder.hello(someHello()).subspan(wire::kPreambleSize + wire::kHeaderSize);
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::vector<wire::Token> tokens;
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    const GuardedText guarded(text.substr(0, cut));
    CHECK(wire::tokenise(std::as_bytes(std::span(guarded.view())), tokens) == (cut == text.size()));
  }
}

}  // namespace faultline::test
