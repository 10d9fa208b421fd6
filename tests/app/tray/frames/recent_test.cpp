#include "app/tray/frames/recent.h"

#include <catch2/catch_test_macros.hpp>

#include "core/recording/recording.h"
#include "tests/app/tray/frames/some_game.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

struct Watched {
  Watched() {
    folder.write("stream", gameStream({}));
    folder.collector("stream stream\nwait");
    watch.start(SampleMode::Some);
    REQUIRE(waitUntil([&] { return watch.history().end() == 200; }));
  }
  [[nodiscard]] QString save(MonotonicTime from) {
    RecentFrames frames(watch, from);
    std::string bytes;
    REQUIRE(waitUntil([&] { return frames.next(bytes) == Piece::Last; }));
    return folder.write("saved.faultline", QByteArray::fromStdString(bytes));
  }

  TestFolder folder;
  GameWatch watch{{.pid = 4711, .name = QStringLiteral("game"), .synthetic = true}, {}, folder.path()};
};

}  // namespace

TEST_CASE("The last frames of a watched game are saved with their call stacks, and read as they were") {
  Watched game;
  const QString file = game.save({});
  CHECK(recordsFrames(file.toStdU16String()));
  GameWatch read({.pid = 0, .name = QStringLiteral("saved"), .recording = file}, {});
  read.start(SampleMode::All);
  REQUIRE(waitUntil([&] { return read.state() == GameWatch::State::Exited; }));
  CHECK(read.stateText() == QStringLiteral("A recording"));
  REQUIRE(read.history().end() == 200);
  for (const std::uint64_t place : {0U, 49U, 199U}) {
    CHECK(read.history().at(place).frame == game.watch.history().at(place).frame);
    CHECK(read.samplesAt(place).size() == game.watch.samplesAt(place).size());
  }
  REQUIRE_FALSE(read.samplesAt(49).empty());
  for (const FaultSample& sample : read.samplesAt(49)) CHECK(sample.calls);
  CHECK(read.tally().lateByFaults == game.watch.tally().lateByFaults);
}

TEST_CASE("Frames before the time that is asked for, and of a window that was closed, are not saved") {
  Watched game;
  const MonotonicTime from = game.watch.history().at(150).frame.start;
  GameWatch read({.pid = 0, .name = QStringLiteral("saved"), .recording = game.save(from)}, {});
  read.start(SampleMode::All);
  REQUIRE(waitUntil([&] { return read.state() == GameWatch::State::Exited; }));
  CHECK(read.history().end() == 50);
  CHECK(RecentFrames(game.watch, game.watch.history().newest()).empty());
  auto closed = std::make_unique<Watched>();
  RecentFrames frames(closed->watch, {});
  closed.reset();
  std::string bytes;
  CHECK(frames.next(bytes) == Piece::Last);
}

}  // namespace faultline
