#include "core/recording/key_places.h"

#include "core/stream/packing.h"
#include "core/stream/tokens.h"
#include "core/stream/wire.h"

namespace faultline {
namespace {

constexpr std::string_view kKeys = "keys";
constexpr std::uint32_t kNumbers = 3;  // of a place

std::optional<std::vector<KeyPlace>> readPlaces(std::span<const std::byte> payload, std::uint64_t offset) {
  std::vector<wire::Token> tokens;
  if (!wire::tokenise(payload, tokens)) return std::nullopt;
  wire::TokenReader in(tokens);
  std::uint32_t pairs = in.map();
  while (in.ok() && pairs > 0 && in.bytes() != kKeys) {
    in.skip();
    --pairs;
  }
  const std::uint32_t numbers = pairs > 0 ? in.array() : 0;
  if (numbers == 0 || numbers % kNumbers != 1 || in.u64() != offset) return std::nullopt;
  std::vector<KeyPlace> places(numbers / kNumbers);
  KeyPlace last;
  for (KeyPlace& place : places) {
    const std::uint64_t gap = in.u64();
    const std::uint64_t sinceHello = in.u64();
    const std::int64_t time = in.i64();
    if (!in.ok() || gap == 0 || gap >= offset - last.offset || sinceHello > last.offset + gap) return std::nullopt;
    if (time > (wire::kLongestUp - last.time.sinceEpoch).count() || time < -last.time.sinceEpoch.count())
      return std::nullopt;
    place = {last.offset + gap, last.offset + gap - sinceHello, last.time + Nanoseconds(time)};
    last = place;
  }
  return places;
}

}  // namespace

void addPlace(std::vector<KeyPlace>& places, const KeyPlace& place) {
  places.push_back(place);
  if (places.size() <= kMostPlaces) return;
  for (std::size_t i = 1; 2 * i < places.size(); ++i) places[i] = places[2 * i];
  places.resize((places.size() + 1) / 2);
}

std::string packEnd(std::uint64_t offset, std::span<const KeyPlace> places) {
  msgpack::sbuffer payload;
  wire::Packer out(payload);
  out.pack_map(places.empty() ? 0 : 1);
  if (!places.empty()) {
    wire::packText(out, kKeys);
    out.pack_array(static_cast<std::uint32_t>(1 + kNumbers * places.size()));
    out.pack_uint64(offset);
    KeyPlace last;
    for (const KeyPlace& place : places) {
      out.pack_uint64(place.offset - last.offset);
      out.pack_uint64(place.offset - place.hello.value_or(0));
      out.pack_int64((place.time - last.time).count());
      last = place;
    }
  }
  const auto header = wire::packHeader(wire::Kind::End, std::as_bytes(std::span(payload.data(), payload.size())));
  return std::string(reinterpret_cast<const char*>(header.data()), header.size())
      .append(payload.data(), payload.size());
}

std::optional<std::vector<KeyPlace>> placesOfEnd(std::span<const std::byte> tail, std::uint64_t offset) {
  for (std::size_t left = wire::kHeaderSize; left <= tail.size(); ++left) {
    const auto packet = tail.last(left);
    if (packet[0] != wire::kMarker[0]) continue;
    const auto header = wire::parseHeader(packet.first<wire::kHeaderSize>());
    if (!header || header->length != left - wire::kHeaderSize) continue;
    const auto payload = packet.subspan(wire::kHeaderSize);
    if (header->kind != static_cast<std::uint8_t>(wire::Kind::End) || wire::checksum(payload) != header->checksum)
      return std::nullopt;
    return readPlaces(payload, offset + tail.size() - left);
  }
  return std::nullopt;
}

}  // namespace faultline
