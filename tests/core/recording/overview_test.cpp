#include "core/recording/overview.h"

#include <algorithm>
#include <sstream>
#include <utility>

#include "tests/core/recording/recorded_file.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

Snapshot snapshotAt(std::uint64_t index) {
  Snapshot snapshot = someSnapshot(1, index, 1);
  snapshot.time = {1h + index * 500ms};
  return snapshot;
}

// Half a second apart, so that each key snapshot stands a minute after the one before.
void recordSnapshots(const TemporaryFile& file, std::uint64_t count) {
  auto writer = RecordingWriter::create(file.path(), someHello());
  REQUIRE(writer);
  for (std::uint64_t i = 0; i < count; ++i) REQUIRE(writer->add(snapshotAt(i)));
  REQUIRE(writer->finish());
}

struct Skim {
  MonotonicTime time;
  std::optional<Nanoseconds> step;

  bool operator==(const Skim&) const = default;
};

struct Read {
  std::vector<std::vector<Skim>> passes;
  int hellos = 0;
};

Read readOverview(const TemporaryFile& file) {
  auto overview = Overview::open(file.path());
  REQUIRE(overview);
  Read read;
  std::vector<Skim> pass;
  while (!overview->done()) {
    const OverviewEvent event = overview->next();
    if (std::holds_alternative<Hello>(event)) ++read.hellos;
    if (const auto* skimmed = std::get_if<Skimmed>(&event)) pass.push_back({skimmed->snapshot->time, skimmed->step});
    if (std::holds_alternative<PassEnd>(event)) read.passes.push_back(std::exchange(pass, {}));
  }
  return read;
}

std::size_t skipping(const std::vector<Skim>& pass) {
  return static_cast<std::size_t>(std::ranges::count_if(pass, [](const Skim& skim) { return skim.step.has_value(); }));
}

}  // namespace

TEST_CASE("An overview has the key snapshots first, and all snapshots of the last hour") {
  const TemporaryFile file;
  constexpr std::uint64_t kCount = 3 * 7200 + 50;
  recordSnapshots(file, kCount);
  const Read read = readOverview(file);
  REQUIRE(read.passes.size() == 2);
  CHECK(read.hellos == 2);
  for (const auto& pass : read.passes) {
    CHECK(pass.front().time == snapshotAt(0).time);
    CHECK(pass.back() == Skim{snapshotAt(kCount - 1).time, std::nullopt});
    CHECK(std::ranges::is_sorted(pass, {}, &Skim::time));
  }
  const auto& spread = read.passes[0];
  const auto& keys = read.passes[1];
  CHECK(skipping(spread) == 181);  // fewer than 500 minutes
  CHECK(spread.size() == 181 + 49);
  CHECK(spread[1] == Skim{snapshotAt(120).time, 0ns});
  // The last key snapshot an hour before the end, and all that follows.
  CHECK(skipping(keys) == 121);
  CHECK(keys[120] == Skim{snapshotAt(120 * 120).time, 60s});
  CHECK(keys[121] == Skim{snapshotAt(120 * 120 + 1).time, std::nullopt});
  CHECK(keys.size() == 121 + kCount - 120 * 120 - 1);
}

TEST_CASE("The first pass of a long recording has about 500 places, evenly spread") {
  const TemporaryFile file;
  recordSnapshots(file, 120 * 1500);
  const Read read = readOverview(file);
  REQUIRE(read.passes.size() == 2);
  const auto& spread = read.passes[0];
  CHECK(skipping(spread) > 350);
  CHECK(skipping(spread) <= 501);
  for (std::size_t i = 1; i < skipping(spread); ++i) {
    CHECK(spread[i].time - spread[i - 1].time >= 2min);
    CHECK(spread[i].time - spread[i - 1].time <= 5min);
  }
  CHECK(skipping(read.passes[1]) == 1500 - 60);
}

TEST_CASE("An overview of less than an hour has one pass, and that of a stream without snapshots none to tell") {
  const TemporaryFile file;
  recordSnapshots(file, 1000);
  const Read read = readOverview(file);
  REQUIRE(read.passes.size() == 1);
  CHECK(skipping(read.passes[0]) == 9);
  CHECK(read.passes[0].size() == 9 + 39);
  recordSnapshots(file, 0);
  const Read none = readOverview(file);
  REQUIRE(none.passes.size() == 1);
  CHECK(none.passes[0].empty());
}

TEST_CASE("Damage takes from an overview only what it hit, and the second of two recordings has its own Hello") {
  const TemporaryFile file;
  const TemporaryFile both;
  recordSnapshots(file, 20'000);
  auto index = KeyIndex::open(file.path());
  while (index->readMore()) continue;
  file.overwrite(static_cast<std::streamoff>(index->keys()[7].offset + 30), '\x7f');
  file.overwrite(static_cast<std::streamoff>(index->keys()[9].offset - 40), '\x7f');
  const Read read = readOverview(file);
  REQUIRE(read.passes.size() == 2);
  const auto has = [&](std::uint64_t minute) {
    return std::ranges::count(read.passes[0], snapshotAt(120 * minute).time, &Skim::time) == 1;
  };
  CHECK(has(6));
  CHECK_FALSE(has(7));
  CHECK(has(8));
  CHECK(has(9));
  std::ofstream(both.path(), std::ios::binary)
      << std::ifstream(file.path(), std::ios::binary).rdbuf() << std::ifstream(file.path(), std::ios::binary).rdbuf();
  const Read twice = readOverview(both);
  REQUIRE(twice.passes.size() == 2);
  CHECK(twice.hellos == 4);
  CHECK(twice.passes[1].back().time == snapshotAt(19'999).time);
}

TEST_CASE("Key snapshots that only begin as such cost an overview no more than themselves") {
  const TemporaryFile file;
  recordSnapshots(file, 0);
  std::ostringstream bytes;
  bytes << std::ifstream(file.path(), std::ios::binary).rdbuf();
  constexpr std::string_view kBroken("\x9b\x00\x01\x02", 4);
  const auto header = wire::packHeader(wire::Kind::Key, std::as_bytes(std::span(kBroken)));
  constexpr int kPackets = 2000;
  for (int i = 0; i < kPackets; ++i)
    bytes << std::string_view(reinterpret_cast<const char*>(header.data()), header.size()) << kBroken;
  file.fill(bytes.str());
  auto overview = Overview::open(file.path());
  REQUIRE(overview);
  int turns = 0;
  for (bool snapshots = false; !overview->done() && turns < 2 * kPackets; ++turns) {
    snapshots = std::holds_alternative<Skimmed>(overview->next());
    CHECK_FALSE(snapshots);
  }
  CHECK(overview->done());
}

}  // namespace faultline::test
