// The price of a fault becomes known after the first frames: terminal, JSON and CSV are as if it had been known before.
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <fstream>
#include <sstream>

#include "app/cli/frames/watch.h"
#include "core/recording/recording.h"
#include "core/recording/writer.h"
#include "tests/support/scratch_folder.h"

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr int kBefore = 100;
constexpr int kAfter = 50;

Hello helloWith(std::optional<double> price) {
  Hello hello;
  hello.source = "synthetic";
  hello.clock = "CLOCK_MONOTONIC";
  hello.watched.emplace().by = FrameEnd::OwnMarks;
  hello.watched->pid = 7;
  hello.watched->name = "game";
  hello.watched->nsPerFault = price;
  return hello;
}

// Every 20th frame lasts as long as the price of its faults makes it. The frames follow each other without a
// gap: a row has the sum of all gaps until it is written, and a busy machine writes it later.
GameFrameBatch framesFrom(int first, int count) {
  GameFrameBatch batch;
  for (int i = first; i < first + count; ++i) {
    const bool hurt = i % 20 == 19;
    GameFrame& frame = batch.frames.emplace_back();
    frame.number = static_cast<std::uint64_t>(i);
    frame.start = {1s + i * 10ms + i / 20 * 19ms};
    frame.duration = hurt ? 29ms : 10ms;
    frame.thread = 7;
    frame.values.setFaults(hurt ? 20'000 : 16, 0);
    frame.values.set(FrameMetric::ThreadMinorFaults, std::uint64_t{hurt ? 20'000U : 16U});
    frame.values.set(FrameMetric::ThreadMajorFaults, std::uint64_t{0});
  }
  return batch;
}

template <class Take>
void play(std::optional<double> priceAtFirst, Take take) {
  const GameFrameBatch before = framesFrom(0, kBefore);
  const GameFrameBatch after = framesFrom(kBefore, kAfter);
  take(StreamEvent(helloWith(priceAtFirst)));
  take(StreamEvent(&before));
  take(StreamEvent(helloWith(1000)));
  take(StreamEvent(&after));
  take(StreamEvent(StreamEnd{}));
}

struct Folder {
  std::filesystem::path path = makeScratchFolder();

  Folder() = default;
  ~Folder() { std::filesystem::remove_all(path); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
};

const FrameFormat& format(std::string_view name) {
  return *std::ranges::find(kFrameFormats, name, &FrameFormat::name);
}

std::string contentsOf(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

struct Told {
  std::string csv, json, terminal;
  bool operator==(const Told&) const = default;
};

std::string joined(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line + "\n";
  return text;
}

Told toldLive(std::optional<double> priceAtFirst) {
  const Folder folder;
  FrameFiles files;
  REQUIRE(files.open((folder.path / "f.csv").string(), format("csv")));
  REQUIRE(files.open((folder.path / "f.json").string(), format("json")));
  FrameWatch watch({}, std::move(files));
  play(priceAtFirst, [&](const StreamEvent& event) { REQUIRE(watch.take(event)); });
  REQUIRE(watch.finish());
  return {contentsOf(folder.path / "f.csv"), contentsOf(folder.path / "f.json"), joined(watch.report())};
}

std::string csvOfRecording(std::optional<double> priceAtFirst) {
  const Folder folder;
  const auto path = folder.path / "game.faultline";
  std::optional<RecordingWriter> writer;
  play(priceAtFirst, [&](const StreamEvent& event) {
    const auto* const hello = std::get_if<Hello>(&event);
    const auto* const batch = std::get_if<const GameFrameBatch*>(&event);
    if (hello != nullptr && !writer) {
      auto created = RecordingWriter::create(path, *hello);
      REQUIRE(created);
      writer = std::move(*created);
    } else if (hello != nullptr) {
      REQUIRE(writer->add(*hello));
    }
    if (batch != nullptr) REQUIRE(writer->add(**batch));
  });
  REQUIRE(writer->finish());
  std::string text;
  FrameFiles files;
  files.openText(text, format("csv"));
  FrameWatch watch({}, std::move(files));
  watch.replay(path, 0ns, Nanoseconds::max());
  auto recording = RecordingFile::open(path);
  REQUIRE(recording);
  for (bool ended = false; !ended;) {
    const auto event = recording->next();
    REQUIRE(event);
    REQUIRE(watch.take(streamEvent(*event)));
    ended = std::holds_alternative<RecordingEnd>(*event);
  }
  REQUIRE(watch.finish());
  return text;
}

}  // namespace

TEST_CASE("A price of faults that comes later judges the frames before it again, in terminal, JSON and CSV alike") {
  const Told late = toldLive(std::nullopt);
  CHECK(late == toldLive(1000));
  CHECK(late.terminal.starts_with("7 of 150 frames late because of page faults"));
  CHECK(late.json.find("\"late_by_faults\":7,") != std::string::npos);
}

TEST_CASE("A price that a recording tells later is that of all its frames") {
  const std::string late = csvOfRecording(std::nullopt);
  CHECK(late == csvOfRecording(1000));
  CHECK(late.find(",20000000,") != std::string::npos);  // estimated_fault_ns
}

TEST_CASE("What cannot be written anew keeps its frames as they were, and the report says so") {
  std::string text;
  FrameFiles files;
  files.openText(text, format("csv"));
  FrameWatch watch({}, std::move(files));
  play(std::nullopt, [&](const StreamEvent& event) { REQUIRE(watch.take(event)); });
  REQUIRE(watch.finish());
  CHECK(std::ranges::count(text, '\n') == 1 + kBefore + kAfter);
  CHECK(joined(watch.report()).find("before the price of a fault was known") != std::string::npos);
}

}  // namespace faultline::test
