#include "core/recording/key_places.h"

#include <catch2/catch_test_macros.hpp>

#include "core/stream/packing.h"
#include "core/stream/wire.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

const std::vector<KeyPlace> kPlaces{
    {300, 12, {5s}}, {90'000, 12, {65s}}, {90'500, 90'200, {64s}}, {4'000'000'000, 90'200, {1000h}}};
constexpr std::uint64_t kEnd = 4'000'001'000;

std::optional<std::vector<KeyPlace>> read(const std::string& tail, std::uint64_t offset) {
  const auto index = indexOfEnd(std::as_bytes(std::span(tail)), offset);
  return index ? std::optional(index->places) : std::nullopt;
}

// An end packet with these numbers.
std::string endOf(const std::vector<std::int64_t>& numbers) {
  msgpack::sbuffer payload;
  wire::Packer out(payload);
  out.pack_map(2);
  wire::packText(out, "later");
  out.pack_array(1).pack_uint8(7);
  wire::packText(out, "keys");
  out.pack_array(static_cast<std::uint32_t>(numbers.size()));
  for (const std::int64_t number : numbers) out.pack_int64(number);
  const auto header = wire::packHeader(wire::Kind::End, std::as_bytes(std::span(payload.data(), payload.size())));
  return std::string(reinterpret_cast<const char*>(header.data()), header.size())
      .append(payload.data(), payload.size());
}

}  // namespace

TEST_CASE("The end of a recording tells the places of its key snapshots, whatever lies before it") {
  const std::string end = packEnd(kEnd, {kPlaces, {}});
  CHECK(read(end, kEnd) == kPlaces);
  CHECK(read("FL and more FL" + end, kEnd - 14) == kPlaces);
}

TEST_CASE("Places are not believed at another offset, in a damaged packet, or before further bytes") {
  std::string end = packEnd(kEnd, {kPlaces, {}});
  CHECK_FALSE(read(end, kEnd + 1));
  CHECK_FALSE(read(end + "x", kEnd));
  CHECK_FALSE(read(end.substr(1), kEnd + 1));
  CHECK_FALSE(read("", 0));
  end.back() = static_cast<char>(end.back() ^ 1);
  CHECK_FALSE(read(end, kEnd));
  CHECK_FALSE(read(packEnd(kEnd, {}), kEnd));  // of a recording without snapshots, or of an older writer
}

TEST_CASE("Places of an end packet lie in the file, in order, and at possible times") {
  CHECK(read(endOf({1000, 200, 188, 5, 300, 488, -5}), 1000) ==
        std::vector<KeyPlace>{{200, 12, {5ns}}, {500, 12, {0ns}}});
  for (const std::vector<std::int64_t>& numbers :
       std::vector<std::vector<std::int64_t>>{{},
                                              {1000, 200, 188},
                                              {1000, 0, 0, 5},     // in the preamble
                                              {1000, 1000, 0, 5},  // beyond the packets
                                              {1000, 200, 0, 5, 800, 0, 5},
                                              {1000, 200, 201, 5},   // a Hello before the file
                                              {1000, 200, 188, -1},  // before the boot
                                              {1000, 200, 188, INT64_MAX},
                                              {1000, 200, 188, 5, 300, 488, INT64_MAX / 8},
                                              {1000, -200, 188, 5}})
    CHECK_FALSE(read(endOf(numbers), 1000));
}

TEST_CASE("Of too many places every other one goes, and the last stays") {
  std::vector<KeyPlace> places;
  for (std::uint64_t i = 0; i <= kMostPlaces; ++i) addPlace(places, {100 + i, 12, {}});
  CHECK(places.size() == kMostPlaces / 2 + 1);
  CHECK(places.front().offset == 100);
  CHECK(places[1].offset == 102);
  CHECK(places.back().offset == 100 + kMostPlaces);
  const std::string end = packEnd(UINT64_MAX, {std::vector(kMostPlaces, KeyPlace{1, 1, {}}), {}});
  CHECK(end.size() + kLongestSpikes < kLongestEnd);
}

}  // namespace faultline::test
