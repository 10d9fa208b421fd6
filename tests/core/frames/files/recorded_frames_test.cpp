// A game's frames from each kind of recording: stream, CSV, sweeps of all processes.
#include "core/frames/files/recorded_frames.h"

#include <catch2/catch_test_macros.hpp>
#include <sstream>

#include "core/frames/files/formats.h"
#include "core/model/frame_numbers.h"
#include "core/recording/writer.h"
#include "tests/support/fixture.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

Result<RecordedFrames> readText(const std::string& text, std::optional<std::uint32_t> pid = {}) {
  std::istringstream file(text);
  return readRecordedFrames(file, pid);
}

std::string messageOf(const std::string& text, std::optional<std::uint32_t> pid = {}) {
  const auto read = readText(text, pid);
  return read ? "" : read.error().message;
}

Snapshot sweepAt(Nanoseconds time, std::uint32_t pid, std::uint64_t born, std::uint64_t minor, std::uint64_t major) {
  Snapshot snapshot;
  snapshot.time = {time};
  snapshot.wallTime = {time + 1'000'000s};
  ProcessSample game{{pid, born}, "game", {}};
  game.values.set(ProcessMetric::MinorFaults, minor);
  game.values.set(ProcessMetric::MajorFaults, major);
  snapshot.processes = {{{1, 1}, "init", game.values}, game, {{99'999, 1}, "zz", game.values}};
  return snapshot;
}

std::string sweeps(const std::vector<Snapshot>& snapshots) {
  std::stringbuf bytes;
  Hello hello;
  hello.clock = "CLOCK_MONOTONIC";
  for (Quality& quality : hello.process) quality.wrapBits = 32;
  auto writer = RecordingWriter::onto(bytes, "memory", hello);
  REQUIRE(writer);
  for (const Snapshot& snapshot : snapshots) REQUIRE(writer->add(snapshot));
  REQUIRE(writer->finish());
  return bytes.str();
}

}  // namespace

TEST_CASE(
    "The CSV of frames keeps each number of the table, but for the delays, whose stretches it does not have, and the "
    "names") {
  GameFrame frame;
  for (const FrameField& row : kFrameFields) frame.values.set(row.metric, 100 + static_cast<std::uint64_t>(row.metric));
  frame.values.setFaults(1000, 7);
  const auto frames = csvFrames();
  std::string text;
  const WatchedGame game;
  frames->begin({game, ""}, text);
  frames->add({frame, {}}, text);
  frames->end(text);
  const auto read = readText(text);
  REQUIRE(read);
  REQUIRE(read->slots.size() == 1);
  for (const FrameField& row : kFrameFields) {
    CAPTURE(row.name);
    CHECK(read->slots[0].get(row.metric) ==
          (row.group == FrameGroup::Delays || row.name.empty() ? std::nullopt : frame.get(row.metric)));
  }
}

TEST_CASE("The CSV of frames keeps the numbers of timed faults") {
  GameFrame some;
  some.values.set(FrameMetric::MinorFaults, 20'066);
  some.values.set(FrameMetric::FaultTime, 5660us);
  some.values.set(FrameMetric::TimedFaults, 65);
  GameFrame all;
  all.values.set(FrameMetric::MinorFaults, 16);
  all.values.set(FrameMetric::FaultTime, 8us);
  const auto frames = csvFrames();
  std::string text;
  const WatchedGame game;
  frames->begin({game, ""}, text);
  for (const GameFrame& frame : {some, all, GameFrame{}}) frames->add({frame, {}}, text);
  frames->end(text);
  const auto read = readText(text);
  REQUIRE(read);
  REQUIRE(read->slots.size() == 3);
  CHECK(read->slots[0].values.get(FrameMetric::TimedFaults) == 65U);
  CHECK_FALSE(read->slots[1].values.get(FrameMetric::TimedFaults));
  CHECK_FALSE(read->slots[2].values.get(FrameMetric::TimedFaults));
  CHECK(text.find(",65,") != std::string::npos);
  CHECK(text.find(",16,") != std::string::npos);
}

TEST_CASE("The stream of a watched game gives its frames unchanged") {
  const std::string stream = fixture("stream/format_1_3.faultline");
  const auto read = readText(stream);
  REQUIRE(read);
  CHECK(read->kind == SlotKind::Frames);
  CHECK(read->clock == "CLOCK_MONOTONIC");
  CHECK(read->watched.name == "fake_game");
  CHECK(read->slots.size() == 249);
  CHECK(read->slots[48].values.minorFaults() == 8192);
  CHECK_FALSE(read->cut);
  CHECK_FALSE(read->clocks);
  CHECK(messageOf(stream, 1) == "has no data about process 1.");
  CHECK(readText(stream, read->watched.pid)->slots == read->slots);
  const auto part = readText(stream.substr(0, stream.size() / 2));
  REQUIRE(part);
  CHECK(part->cut);
  CHECK(part->slots.size() > 20);
  CHECK(messageOf(stream.substr(0, 200)) == "has no frames of a game.");
}

TEST_CASE("The CSV of frames gives the same frames") {
  const auto stream = readText(fixture("stream/format_1_3.faultline"));
  REQUIRE(stream);
  const auto writer = csvFrames();
  std::string csv;
  writer->begin({stream->watched, ""}, csv);
  for (const GameFrame& frame : stream->slots) writer->add({frame, {}}, csv);
  GameFrame counted = stream->slots.back();
  counted.values.clear(FrameMetric::MajorFaults);
  writer->add({counted, {}}, csv);
  auto read = readText(csv);
  REQUIRE(read);
  REQUIRE(read->slots.size() == stream->slots.size() + 1);
  CHECK_FALSE(read->slots.back().values.majorFaults());
  read->slots.pop_back();
  CHECK_FALSE(read->cut);
  for (std::size_t i = 0; i < read->slots.size(); ++i) {
    CHECK(read->slots[i].start == stream->slots[i].start);
    CHECK(read->slots[i].duration == stream->slots[i].duration);
    CHECK(read->slots[i].values.minorFaults() == stream->slots[i].values.minorFaults());
  }
  CHECK(messageOf("frame,start_ns\n1,2\n") == "is neither a Faultline recording nor a CSV file of its frames.");
  CHECK_FALSE(messageOf("").empty());
}

TEST_CASE("A slot of a sweep has each number of a frame that a process has, with its quality") {
  const auto amountOf = [](const FrameField& row) { return 100 - static_cast<std::uint64_t>(row.metric); };
  std::vector<Snapshot> snapshots{sweepAt(10s, 7, 5, 1000, 0), sweepAt(11s, 7, 5, 2000, 0)};
  for (std::size_t i = 0; i < snapshots.size(); ++i)
    for (const FrameField& row : kFrameFields)
      if (row.scope == FrameScope::Game && row.group != FrameGroup::Faults && processField(row) != nullptr)
        snapshots[i].processes[1].values.set(processField(row)->metric, i * amountOf(row));
  std::stringbuf bytes;
  Hello hello;
  hello.quality(ProcessMetric::FreedBytes) = estimated("by sweeps");
  auto writer = RecordingWriter::onto(bytes, "memory", hello);
  REQUIRE(writer);
  for (const Snapshot& snapshot : snapshots) REQUIRE(writer->add(snapshot));
  REQUIRE(writer->finish());
  const auto read = readText(bytes.str(), 7);
  REQUIRE(read);
  REQUIRE(read->slots.size() == 1);
  const GameFrame& slot = read->slots[0];
  for (const FrameField& row : kFrameFields) {
    CAPTURE(row.name);
    const bool shared = row.scope == FrameScope::Game && processField(row) != nullptr;
    CHECK(slot.values.has(row.metric) == shared);
    if (shared && row.group != FrameGroup::Faults) CHECK(slot.get(row.metric) == amountOf(row));
  }
  CHECK(read->watched.freed.grade == Grade::Estimated);
  CHECK(read->watched.freed.how == "by sweeps");
}

TEST_CASE("Each sweep gives a slot of the last process with the pid, with gaps where it was not seen") {
  Snapshot without = sweepAt(14s, 8, 5, 0, 0);
  const std::string recording =
      sweeps({sweepAt(10s, 7, 5, 1, 0), sweepAt(11s, 7, 5, 5, 0), sweepAt(12s, 7, 6, UINT32_MAX - 1, 3),
              sweepAt(13s, 7, 6, 2, 4), without, sweepAt(15s, 7, 6, 20, 4), sweepAt(16s, 7, 6, 30, 4)});
  const auto read = readText(recording, 7);
  REQUIRE(read);
  CHECK(read->kind == SlotKind::Sweeps);
  CHECK(read->watched.name == "game");
  REQUIRE(read->slots.size() == 2);
  CHECK(read->slots[0].start == MonotonicTime{12s});
  CHECK(read->slots[0].duration == 1s);
  CHECK(read->slots[0].values.minorFaults() == 4);  // the counter has 32 bits
  CHECK(read->slots[0].values.majorFaults() == 1);
  CHECK_FALSE(read->slots[0].values.get(FrameMetric::ZeroedBytes));
  CHECK(read->slots[1].start == MonotonicTime{15s});
  CHECK(read->slots[1].values.minorFaults() == 10);
  REQUIRE(read->clocks);
  CHECK(read->clocks->wall.sinceEpoch - read->clocks->steady.sinceEpoch == 1'000'000s);
  CHECK(messageOf(recording).find("--pid") != std::string::npos);
  CHECK(messageOf(recording, 3) == "has no data about process 3.");
}

}  // namespace faultline::test
