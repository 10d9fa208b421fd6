#include "app/tray/frames/game_watch.h"

#include <QSignalSpy>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/frames/words.h"
#include "platform/host/processes.h"
#include "tests/app/tray/frames/some_game.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

WatchedProcess synthetic() {
  return {.pid = 4711, .name = QStringLiteral("game"), .synthetic = true};
}

}  // namespace

TEST_CASE("The output of a watching collector is judged, kept and summed up; the game's end is reported") {
  const TestFolder folder;
  folder.write("stream", gameStream({.state = GameState::Exited, .ended = true}));
  folder.collector("log arguments\nstream stream");
  GameWatch watch(synthetic(), {}, folder.path());
  watch.start(SampleMode::Some);
  REQUIRE(waitUntil([&] { return watch.state() == GameWatch::State::Exited; }));
  CHECK(watch.history().end() == 200);
  CHECK(watch.tally().lateByFaults == 4);
  REQUIRE(watch.worst().rows().size() == 4);
  CHECK(watch.worst().rows().front().judged.frame.faults() == 8192);
  CHECK(watch.samplesAt(49).size() == 64);
  CHECK(watch.samplesAt(48).empty());
  QFile arguments(folder.path("arguments"));
  REQUIRE(arguments.open(QIODevice::ReadOnly));
  CHECK(arguments.readAll() == "watch 4711 --samples some --synthetic\n");
}

TEST_CASE("Another budget judges earlier frames again") {
  const TestFolder folder;
  folder.write("stream", gameStream({}));
  folder.collector("stream stream\nwait");
  GameWatch watch(synthetic(), {}, folder.path());
  watch.start(SampleMode::Spikes);
  REQUIRE(waitUntil([&] { return watch.state() == GameWatch::State::Live; }));
  QSignalSpy anew(&watch, &GameWatch::judgedAnew);
  watch.setBudget(3ms);
  CHECK(anew.size() == 1);
  CHECK(watch.tally().frames == 200);
  CHECK(watch.tally().late == 200);
  CHECK(watch.history().at(0).verdict.late);
  watch.setBudget(33ms);
  CHECK(watch.tally().late == 4);  // these still stand out
  CHECK(watch.history().end() == 200);
}

TEST_CASE("A game without other ways is watched at an assumed rate; a game that cannot be watched gives the reason") {
  const TestFolder folder;
  folder.write("stream", gameStream({.frames = 100}));
  folder.collector(
      "if-argument assume stream stream\nif-argument assume wait\n"
      "complain faultline-collector: No marks here.\nexit 1");
  GameWatch watch({.pid = ownProcess(), .name = QStringLiteral("self"), .synthetic = false}, {}, folder.path());
  watch.start(SampleMode::None);
  REQUIRE(waitUntil([&] { return watch.state() == GameWatch::State::Live; }));
  CHECK(watch.choice().by == FrameEnd::AssumedRate);

  folder.collector("complain faultline-collector: It is not yours.\nexit 1");
  GameWatch refused(synthetic(), {}, folder.path());
  refused.start(SampleMode::None);
  REQUIRE(waitUntil([&] { return refused.state() == GameWatch::State::Failed; }));
  CHECK(refused.stateText() == QStringLiteral("It is not yours."));
}

TEST_CASE("Other call stacks restart watching, and the frames seen so far stay") {
  const TestFolder folder;
  folder.write("first", gameStream({.frames = 100}));
  folder.write("second", gameStream({.frames = 100, .first = 101}));
  folder.collector("if-argument some stream second\nunless-argument some stream first\nwait");
  GameWatch watch(synthetic(), {}, folder.path());
  watch.start(SampleMode::Spikes);
  REQUIRE(waitUntil([&] { return watch.history().end() == 100; }));
  CHECK(watch.samplesAt(49).size() == 64);
  watch.start(SampleMode::Some);
  REQUIRE(waitUntil([&] { return watch.history().end() == 200; }));
  CHECK(watch.tally().frames == 200);
  CHECK(watch.samplesAt(49).empty());
  CHECK(watch.samplesAt(149).size() == 64);
}

TEST_CASE("Another end of frames restarts watching") {
  const TestFolder folder;
  folder.write("stream", gameStream({.frames = 100}));
  folder.collector("if-argument assume_30 stream stream\nwait");
  GameWatch watch({.pid = ownProcess(), .name = QStringLiteral("self"), .synthetic = false}, {}, folder.path());
  watch.watchBy({.rate = 40});
  watch.watchBy({.rate = 30});
  REQUIRE(waitUntil([&] { return watch.state() == GameWatch::State::Live; }));
  CHECK(watch.choice().by == FrameEnd::AssumedRate);
  CHECK(watch.choice().rate == 30);
  CHECK(endsOfFrames(watch).contains(QStringLiteral("60 Hz")));
}

TEST_CASE("An invalid stream, and a killed collector, are reported and do no harm") {
  const TestFolder folder;
  folder.collector("babble");
  GameWatch watch(synthetic(), {}, folder.path());
  watch.start(SampleMode::Spikes);
  REQUIRE(waitUntil([&] { return watch.state() == GameWatch::State::Failed; }));
  CHECK_FALSE(watch.stateText().isEmpty());
  folder.collector("die");
  watch.start(SampleMode::Spikes);
  REQUIRE(waitUntil([&] { return watch.state() == GameWatch::State::Failed; }));
#ifdef Q_OS_WIN
  CHECK(watch.stateText() == QStringLiteral("The collector ended with code 0xC0000005."));
#else
  CHECK(watch.stateText() == QStringLiteral("The collector was killed by signal 9 (Killed)."));
#endif
}

TEST_CASE("A delay of faults restarts watching with it, and its finding is told, or why no fault is delayed") {
  const TestFolder folder;
  folder.write("first", gameStream({.frames = 100}));
  folder.write("second", gameStream({.frames = 100, .first = 101, .delayed = true}));
  folder.collector("log arguments\nif-argument delay stream second\nunless-argument delay stream first\nwait");
  GameWatch watch(synthetic(), {}, folder.path());
  watch.start(SampleMode::None);
  REQUIRE(waitUntil([&] { return watch.history().end() == 100; }));
  CHECK(delaySentence(watch).isEmpty());
  watch.delayBy(2us);
  REQUIRE(waitUntil([&] { return watch.history().end() == 200; }));
  CHECK(delaySentence(watch).startsWith(QStringLiteral("Page faults were delayed by ")));
  QFile arguments(folder.path("arguments"));
  REQUIRE(arguments.open(QIODevice::ReadOnly));
  CHECK(arguments.readAll().endsWith("--delay 2us --synthetic\n"));

  Hello hello = gameHello();
  hello.watched->delay = {Grade::Unavailable, "No BPF.", "Grant it.", 64};
  Encoder encoder;
  QByteArray refused;
  appenderTo(refused)(encoder.hello(hello));
  folder.write("second", refused);
  watch.delayBy(5us);
  REQUIRE(waitUntil([&] { return watch.game() && watch.game()->delay; }));
  CHECK(delaySentence(watch) == QStringLiteral("No fault is delayed: No BPF."));
}

}  // namespace faultline
