#include "core/recording/key_index.h"

#include <algorithm>
#include <ranges>
#include <sstream>

#include "core/stream/encoder.h"
#include "tests/core/recording/recorded_file.h"

namespace faultline::test {
namespace {

std::vector<KeyPlace> placesIn(const std::filesystem::path& path) {
  auto index = KeyIndex::open(path);
  REQUIRE(index);
  while (index->readMore()) continue;
  return index->keys();
}

std::string bytesOf(const TemporaryFile& file) {
  std::ostringstream bytes;
  bytes << std::ifstream(file.path(), std::ios::binary).rdbuf();
  return bytes.str();
}

// Where the packets of such a recording begin, the Hello first, and its key snapshots.
struct Layout {
  explicit Layout(const std::vector<Snapshot>& snapshots) {
    Encoder encoder;
    std::uint64_t end = encoder.hello(someHello()).size();
    for (const Snapshot& snapshot : snapshots) {
      const auto packet = encoder.snapshot(snapshot);
      packets.push_back(end);
      if (packet[4] == static_cast<std::byte>(wire::Kind::Key))
        keys.push_back({end, wire::kPreambleSize, snapshot.time});
      end += packet.size();
    }
  }
  std::vector<std::uint64_t> packets;
  std::vector<KeyPlace> keys;
};

std::vector<KeyPlace> without(std::vector<KeyPlace> places, std::uint64_t offset) {
  REQUIRE(std::erase_if(places, [&](const KeyPlace& place) { return place.offset == offset; }) == 1);
  return places;
}

// What reading from there gives first.
template <class Event>
Event firstFrom(RecordingFile& file, std::uint64_t offset) {
  file.seek(offset);
  while (true) {
    const auto event = file.next();
    REQUIRE(event);
    if (std::holds_alternative<StillReading>(*event)) continue;
    REQUIRE(std::holds_alternative<Event>(*event));
    return std::get<Event>(*event);
  }
}

}  // namespace

TEST_CASE("The index holds each key snapshot with its time and its Hello") {
  const TemporaryFile file;
  const auto snapshots = eventfulSnapshots(300);
  const Layout layout(snapshots);
  REQUIRE(layout.keys.size() >= 3);
  for (const bool finished : {false, true}) {
    record(file, snapshots, finished);
    CHECK(placesIn(file.path()) == layout.keys);
  }
}

TEST_CASE("The end of a recording tells its index, without a look at the packets before") {
  const TemporaryFile file;
  const auto snapshots = eventfulSnapshots(300);
  record(file, snapshots);
  const auto index = KeyIndex::open(file.path());
  REQUIRE(index);
  CHECK(index->keys() == Layout(snapshots).keys);
}

TEST_CASE("From a place of the index a recording is read to its end, in any order of places") {
  const TemporaryFile file;
  const auto snapshots = eventfulSnapshots(300);
  record(file, snapshots);
  const auto places = placesIn(file.path());
  const auto from = [&](const KeyPlace& place) { return std::ranges::find(snapshots, place.time, &Snapshot::time); };
  auto reader = RecordingFile::open(file.path());
  REQUIRE(reader);
  for (const KeyPlace& place : {places[1], places.back(), places.front()}) {
    reader->seek(place.offset);
    CHECK(std::ranges::equal(readAll(*reader), std::ranges::subrange(from(place), snapshots.end())));
    CHECK(reader->remark().empty());
    CHECK(reader->bytesRead() == reader->bytesTotal());
  }
  for (const KeyPlace& place : {places.back(), places.front(), places[1]})  // in the middle of reading, too
    CHECK(*firstFrom<const Snapshot*>(*reader, place.offset) == *from(place));
  CHECK(firstFrom<Hello>(*reader, *places[1].hello) == someHello());
}

TEST_CASE("A damaged key snapshot is left out of the index, other damage is not felt") {
  const TemporaryFile file;
  const auto snapshots = eventfulSnapshots(300);
  const Layout layout(snapshots);
  record(file, snapshots, false);
  file.overwrite(static_cast<std::streamoff>(layout.packets[60] + 20), '\x7f');  // a payload
  file.overwrite(static_cast<std::streamoff>(layout.packets[200] + 6), '\x7f');  // a length
  CHECK(placesIn(file.path()) == layout.keys);
  file.overwrite(static_cast<std::streamoff>(layout.keys[1].offset + 30), '\x7f');
  CHECK(placesIn(file.path()) == without(layout.keys, layout.keys[1].offset));
}

TEST_CASE("The index of a recording that is cut off has all whole key snapshots") {
  const TemporaryFile file;
  const auto snapshots = eventfulSnapshots(300);
  const Layout layout(snapshots);
  record(file, snapshots);
  const std::uint64_t last = layout.keys.back().offset;
  file.cutTo(last + 40);
  CHECK(placesIn(file.path()) == without(layout.keys, last));
}

TEST_CASE("The index goes on in the second of two recordings in one file") {
  const TemporaryFile first;
  const TemporaryFile both;
  const auto snapshots = eventfulSnapshots(150);
  record(first, snapshots);
  both.fill(bytesOf(first) + bytesOf(first));
  auto expected = Layout(snapshots).keys;
  const std::uint64_t second = std::filesystem::file_size(first.path());
  for (const KeyPlace& place : Layout(snapshots).keys)
    expected.push_back({second + place.offset, second + *place.hello, place.time});
  CHECK(placesIn(both.path()) == expected);
}

TEST_CASE("A packet that claims to be a key snapshot and holds none is no place") {
  const TemporaryFile file;
  std::string bytes(wire::kMagic);
  bytes += {static_cast<char>(wire::kMajor), static_cast<char>(wire::kMinor)};
  for (const std::string_view payload : {std::string_view("\x93\x01\xc0\x01", 4), std::string_view("\x01"),
                                         std::string_view(), std::string_view("\x9b\x01\xff", 3)}) {
    const auto header = wire::packHeader(wire::Kind::Key, std::as_bytes(std::span(payload)));
    bytes.append(reinterpret_cast<const char*>(header.data()), header.size()).append(payload);
  }
  file.fill(bytes);
  CHECK(placesIn(file.path()).empty());
}

TEST_CASE("What is no recording has no places, and what is no regular file has no index") {
  const TemporaryFile file;
  CHECK_FALSE(KeyIndex::open(file.path()));
  file.fill("Dear diary, today nothing faulted.\n");
  CHECK(placesIn(file.path()).empty());
  CHECK_FALSE(KeyIndex::open(std::filesystem::temp_directory_path()));
  if (std::filesystem::exists("/dev/null")) CHECK_FALSE(KeyIndex::open("/dev/null"));
}

}  // namespace faultline::test
