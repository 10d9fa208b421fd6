// Packets in damaged bytes: which are found, and the work of the search.
#include "core/stream/packet_reader.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/stream/samples.h"

namespace faultline::test {
namespace {

using wire::PacketStatus;

Bytes preamble() {
  Bytes bytes;
  append(bytes, std::as_bytes(std::span(wire::kMagic)));
  bytes.push_back(std::byte{wire::kMajor});
  bytes.push_back(std::byte{wire::kMinor});
  return bytes;
}

void appendPacket(Bytes& out, const Bytes& payload) {
  append(out, wire::packHeader(wire::Kind::GameFrames, payload));
  append(out, payload);
}

// Consecutive valid headers that each claim a payload of `length` bytes, without that payload.
void appendFalseHeaders(Bytes& out, std::size_t count, std::size_t length) {
  const auto header = wire::packHeader(wire::Kind::Key, Bytes(length));
  for (std::size_t i = 0; i < count; ++i) append(out, header);
}

struct Read {
  std::size_t packets = 0;
  std::size_t damages = 0;
};

Read readAll(wire::PacketReader& reader, std::span<const std::byte> bytes) {
  constexpr std::size_t kPiece = std::size_t{1} << 16U;
  Read read;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kPiece, bytes.size()))) {
    reader.feed(bytes.first(std::min(kPiece, bytes.size())));
    for (auto packet = reader.next(); packet.status != PacketStatus::NeedMore; packet = reader.next()) {
      read.packets += packet.status == PacketStatus::Packet ? 1 : 0;
      read.damages += packet.status == PacketStatus::Damage ? 1 : 0;
    }
  }
  return read;
}

}  // namespace

TEST_CASE("The work for nested false headers is linear in the bytes") {
  Bytes bytes = preamble();
  appendFalseHeaders(bytes, 100'000, std::size_t{1} << 20U);
  for (int i = 0; i < 2000; ++i) appendPacket(bytes, Bytes(1000, std::byte{7}));
  wire::PacketReader reader;
  const Read read = readAll(reader, bytes);
  CHECK(read.packets == 2000);
  CHECK(read.damages == 1);
  CHECK(reader.checked() > 2'000'000);
  CHECK(reader.checked() < 4 * wire::kMaxPayload + 4 * bytes.size());
}

TEST_CASE("Intact packets between truncated ones are found") {
  Bytes bytes = preamble();
  std::size_t intact = 0;
  for (int i = 0; i < 300; ++i) {
    appendFalseHeaders(bytes, 1, 100'000);
    bytes.resize(bytes.size() + 40'000, std::byte{7});
    for (int j = 0; j < 3; ++j, ++intact) appendPacket(bytes, Bytes(20'000, std::byte{9}));
  }
  wire::PacketReader reader;
  CHECK(readAll(reader, bytes).packets == intact);
}

TEST_CASE("A packet of maximum length is found after damage") {
  Bytes bytes = preamble();
  appendFalseHeaders(bytes, 1, wire::kMaxPayload);
  bytes.resize(bytes.size() + 1000, std::byte{7});
  for (int i = 0; i < 3; ++i) appendPacket(bytes, Bytes(wire::kMaxPayload, std::byte{9}));
  wire::PacketReader reader;
  const Read read = readAll(reader, bytes);
  CHECK(read.packets == 3);
  CHECK(read.damages == 1);
}

TEST_CASE("Damage is reported once") {
  const Bytes garbage(40, std::byte{'x'});
  wire::PacketReader reader;
  reader.feed(preamble());
  CHECK(reader.next().status == PacketStatus::NewStream);
  reader.feed(garbage);
  const auto damage = reader.next();
  CHECK(damage.status == PacketStatus::Damage);
  CHECK(damage.offset == wire::kPreambleSize);
  CHECK(reader.next().status == PacketStatus::NeedMore);
  reader.feed(garbage);
  CHECK(reader.next().status == PacketStatus::NeedMore);
}

}  // namespace faultline::test
