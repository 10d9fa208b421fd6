// Frames in damaged bytes: what is found, and how much work the search may be.
#include "core/stream/frame_reader.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/stream/samples.h"

namespace faultline::test {
namespace {

using wire::FrameStatus;

Bytes preamble() {
  Bytes bytes;
  append(bytes, std::as_bytes(std::span(wire::kMagic)));
  bytes.push_back(std::byte{wire::kMajor});
  bytes.push_back(std::byte{wire::kMinor});
  return bytes;
}

void appendFrame(Bytes& out, const Bytes& payload) {
  append(out, wire::packHeader(wire::Kind::GameFrames, payload));
  append(out, payload);
}

// Headers one after another, each sound in itself, that all claim a payload of `length` bytes that is not there.
void appendLies(Bytes& out, std::size_t count, std::size_t length) {
  const auto lie = wire::packHeader(wire::Kind::Key, Bytes(length));
  for (std::size_t i = 0; i < count; ++i) append(out, lie);
}

struct Read {
  std::size_t frames = 0;
  std::size_t damages = 0;
};

Read readAll(wire::FrameReader& reader, std::span<const std::byte> bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  Read read;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kPiece, bytes.size()))) {
    reader.feed(bytes.first(std::min(kPiece, bytes.size())));
    for (auto frame = reader.next(); frame.status != FrameStatus::NeedMore; frame = reader.next()) {
      read.frames += frame.status == FrameStatus::Frame ? 1 : 0;
      read.damages += frame.status == FrameStatus::Damage ? 1 : 0;
    }
  }
  return read;
}

}  // namespace

TEST_CASE("Headers that nest and lie cost a reader work in proportion to their bytes") {
  Bytes bytes = preamble();
  appendLies(bytes, 100'000, std::size_t{1} << 20U);
  for (int i = 0; i < 2000; ++i) appendFrame(bytes, Bytes(1000, std::byte{7}));
  wire::FrameReader reader;
  const Read read = readAll(reader, bytes);
  CHECK(read.frames == 2000);
  CHECK(read.damages == 1);
  CHECK(reader.checked() > 2'000'000);
  CHECK(reader.checked() < 4 * wire::kMaxPayload + 4 * bytes.size());
}

TEST_CASE("Frames that are cut short one after another hide no sound one") {
  Bytes bytes = preamble();
  std::size_t sound = 0;
  for (int i = 0; i < 300; ++i) {
    appendLies(bytes, 1, 100'000);
    bytes.resize(bytes.size() + 40'000, std::byte{7});
    for (int j = 0; j < 3; ++j, ++sound) appendFrame(bytes, Bytes(20'000, std::byte{9}));
  }
  wire::FrameReader reader;
  CHECK(readAll(reader, bytes).frames == sound);
}

TEST_CASE("The longest frame that there may be is found behind damage") {
  Bytes bytes = preamble();
  appendLies(bytes, 1, wire::kMaxPayload);
  bytes.resize(bytes.size() + 1000, std::byte{7});
  for (int i = 0; i < 3; ++i) appendFrame(bytes, Bytes(wire::kMaxPayload, std::byte{9}));
  wire::FrameReader reader;
  const Read read = readAll(reader, bytes);
  CHECK(read.frames == 3);
  CHECK(read.damages == 1);
}

TEST_CASE("Damage is told once, and anew after a jump") {
  const Bytes nonsense(40, std::byte{'x'});
  wire::FrameReader reader;
  reader.feed(preamble());
  CHECK(reader.next().status == FrameStatus::NewStream);
  for (int i = 0; i < 2; ++i) {
    reader.feed(nonsense);
    const auto damage = reader.next();
    CHECK(damage.status == FrameStatus::Damage);
    CHECK(damage.offset == wire::kPreambleSize);
    CHECK(reader.next().status == FrameStatus::NeedMore);
    reader.feed(nonsense);
    CHECK(reader.next().status == FrameStatus::NeedMore);
    reader.jump(wire::kPreambleSize);
  }
}

}  // namespace faultline::test
