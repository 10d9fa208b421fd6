// Encoder and Decoder against each other.
#include <catch2/catch_test_macros.hpp>
#include <deque>

#include "core/stream/decoder.h"
#include "core/stream/encoder.h"
#include "tests/core/stream/samples.h"

namespace faultline::test {
namespace {

struct Everything {
  std::vector<Hello> hellos;
  std::vector<Snapshot> snapshots;
  std::vector<std::string> errors;
  bool ended = false;
};

void drain(Decoder& decoder, Everything& all) {
  while (true) {
    const auto event = decoder.next();
    if (!event) {
      const bool again = !all.errors.empty() && all.errors.back() == event.error().message;
      if (again) return;  // repeated permanently
      all.errors.push_back(event.error().message);
    } else if (std::holds_alternative<NeedMoreBytes>(*event)) {
      return;
    } else if (const auto* hello = std::get_if<Hello>(&*event)) {
      all.hellos.push_back(*hello);
    } else if (const auto* snapshot = std::get_if<const Snapshot*>(&*event)) {
      all.snapshots.push_back(**snapshot);
    } else {
      all.ended = true;
    }
  }
}

Everything decode(std::span<const std::byte> bytes, std::size_t piece = 4096) {
  Decoder decoder;
  Everything all;
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(piece, bytes.size()))) {
    decoder.feed(bytes.first(std::min(piece, bytes.size())));
    drain(decoder, all);
  }
  return all;
}

Bytes encode(const std::vector<Snapshot>& snapshots) {
  Encoder encoder;
  Bytes bytes;
  append(bytes, encoder.hello(someHello()));
  for (const Snapshot& snapshot : snapshots) append(bytes, encoder.snapshot(snapshot));
  append(bytes, encoder.end());
  return bytes;
}

}  // namespace

TEST_CASE("Everything encoded is decoded unchanged") {
  const auto snapshots = snapshotsWithServices(300);
  const Bytes bytes = encode(snapshots);
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{4096}, bytes.size()}) {
    const Everything all = decode(bytes, piece);
    REQUIRE(all.hellos == std::vector{someHello()});
    REQUIRE(all.snapshots == snapshots);
    REQUIRE(all.errors.empty());
    REQUIRE(all.ended);
  }
}

TEST_CASE("A stream cut at every byte yields everything before the cut") {
  const auto snapshots = snapshotsWithServices(30);
  Encoder encoder;
  Bytes bytes;
  append(bytes, encoder.hello(someHello()));
  std::vector<std::size_t> ends;
  for (const Snapshot& snapshot : snapshots) {
    append(bytes, encoder.snapshot(snapshot));
    ends.push_back(bytes.size());
  }
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    const Everything all = decode(std::span(bytes).first(cut));
    std::size_t whole = 0;
    while (whole < ends.size() && ends[whole] <= cut) ++whole;
    REQUIRE(all.errors.empty());
    REQUIRE(all.snapshots.size() == whole);
    REQUIRE(std::equal(all.snapshots.begin(), all.snapshots.end(), snapshots.begin()));
  }
}

TEST_CASE("A packet that was not sent has no effect") {
  const auto snapshots = snapshotsWithServices(40);
  for (std::size_t every = 1; every < 5; ++every) {
    Encoder encoder;
    Bytes bytes;
    std::vector<Snapshot> sent;
    static_cast<void>(encoder.hello(someHello()));
    encoder.dropped();
    append(bytes, encoder.hello(someHello()));
    for (std::size_t i = 0; i < snapshots.size(); ++i) {
      const auto packet = encoder.snapshot(snapshots[i]);
      if (i % every == 0 && i % 10 != 5) {
        append(bytes, packet);
        sent.push_back(snapshots[i]);
      } else {
        encoder.dropped();
      }
    }
    const Everything all = decode(bytes);
    REQUIRE(all.hellos.size() == 1);
    REQUIRE(all.errors.empty());
    REQUIRE(all.snapshots == sent);
  }
}

}  // namespace faultline::test
