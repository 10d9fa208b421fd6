#include "core/recording/key_places.h"

#include <utility>

#include "core/recording/spike_list.h"
#include "core/stream/packing.h"
#include "core/stream/tokens.h"
#include "core/stream/wire.h"

namespace faultline {
namespace {

constexpr std::string_view kKeys = "keys";
constexpr std::string_view kSpikes = "spikes";
constexpr std::uint32_t kNumbers = 3;  // of a place

std::optional<std::vector<KeyPlace>> readPlaces(wire::TokenReader& in, std::uint64_t offset) {
  const std::uint32_t numbers = in.array();
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

void packPlaces(std::uint64_t offset, std::span<const KeyPlace> places, wire::Packer& out) {
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

std::optional<RecordingIndex> readIndex(std::span<const std::byte> payload, std::uint64_t offset) {
  std::vector<wire::Token> tokens;
  if (!wire::tokenise(payload, tokens)) return std::nullopt;
  RecordingIndex index;
  wire::TokenReader in(tokens);
  for (std::uint32_t pairs = in.map(); pairs > 0 && in.ok(); --pairs) {
    const std::string_view key = in.bytes();
    wire::TokenReader value = in;
    in.skip();
    if (key == kSpikes) index.spikes = readSpikes(value);
    if (key != kKeys) continue;
    auto places = readPlaces(value, offset);
    if (!places) return std::nullopt;
    index.places = std::move(*places);
  }
  return index.places.empty() ? std::nullopt : std::optional(std::move(index));
}

}  // namespace

void addPlace(std::vector<KeyPlace>& places, const KeyPlace& place) {
  places.push_back(place);
  if (places.size() <= kMostPlaces) return;
  for (std::size_t i = 1; 2 * i < places.size(); ++i) places[i] = places[2 * i];
  places.resize((places.size() + 1) / 2);
}

std::string packEnd(std::uint64_t offset, const RecordingIndex& index) {
  const bool hasPlaces = !index.places.empty();
  msgpack::sbuffer spikes;
  wire::Packer spikesOut(spikes);
  if (hasPlaces && index.spikes) packSpikes(*index.spikes, spikesOut);
  const bool hasSpikes = spikes.size() > 0 && spikes.size() <= kLongestSpikes;
  msgpack::sbuffer payload;
  wire::Packer out(payload);
  out.pack_map((hasPlaces ? 1 : 0) + (hasSpikes ? 1 : 0));
  if (hasPlaces) {
    wire::packText(out, kKeys);
    packPlaces(offset, index.places, out);
  }
  if (hasSpikes) {
    wire::packText(out, kSpikes);
    payload.write(spikes.data(), spikes.size());
  }
  const auto header = wire::packHeader(wire::Kind::End, std::as_bytes(std::span(payload.data(), payload.size())));
  return std::string(reinterpret_cast<const char*>(header.data()), header.size())
      .append(payload.data(), payload.size());
}

std::optional<RecordingIndex> indexOfEnd(std::span<const std::byte> tail, std::uint64_t offset) {
  for (std::size_t left = wire::kHeaderSize; left <= tail.size(); ++left) {
    const auto packet = tail.last(left);
    if (packet[0] != wire::kMarker[0]) continue;
    const auto header = wire::parseHeader(packet.first<wire::kHeaderSize>());
    if (!header || header->length != left - wire::kHeaderSize) continue;
    const auto payload = packet.subspan(wire::kHeaderSize);
    if (header->kind != static_cast<std::uint8_t>(wire::Kind::End) || wire::checksum(payload) != header->checksum)
      return std::nullopt;
    return readIndex(payload, offset + tail.size() - left);
  }
  return std::nullopt;
}

}  // namespace faultline
