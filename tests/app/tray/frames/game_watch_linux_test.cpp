// A watched game that is a real process.
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QProcess>
#include <catch2/catch_test_macros.hpp>
#include <csignal>

#include "app/tray/frames/game_watch.h"
#include "app/tray/frames/words.h"
#include "platform/host/mark_finder.h"
#include "tests/app/tray/frames/some_game.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

// Processes of this test that read call stacks.
std::size_t readers() {
  std::size_t count = 0;
  for (const QString& pid : QDir(QStringLiteral("/proc")).entryList({QStringLiteral("[1-9]*")}, QDir::Dirs)) {
    QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
    if (file.open(QIODevice::ReadOnly) &&
        file.readAll().contains("(faultline-read) S " + QByteArray::number(QCoreApplication::applicationPid()) + " "))
      ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("A started program is watched if it marks frames, and after its end the next program is awaited") {
  const TestFolder folder;
  folder.write("stream", gameStream({.state = GameState::Exited, .ended = true}));
  folder.collector("stream stream");
  QProcess launcher;  // which presents nothing itself
  launcher.start(QStringLiteral("/bin/sh"),
                 {QStringLiteral("-c"),
                  QStringLiteral(FAULTLINE_BIN "/fake_game frames=1000000 & echo $!; wait; exec sleep 100")});
  REQUIRE(launcher.waitForReadyRead());
  const auto pid = launcher.readLine().trimmed().toUInt();
  const auto marks = [&] {
    const auto found = MarkFinder().look(pid);
    return found && found->own;
  };
  REQUIRE(waitUntil(marks));
  GameWatch watch(
      {.pid = static_cast<std::uint32_t>(launcher.processId()), .name = QStringLiteral("launcher"), .synthetic = false},
      {}, folder.path());
  std::uint64_t frames = 0;
  std::uint32_t chosen = 0;
  QObject::connect(&watch, &GameWatch::stateChanged, &watch, [&] {  // the game lives, and is soon watched again
    if (frames > 0 || watch.state() != GameWatch::State::ProgramLeft) return;
    frames = watch.history().end();
    chosen = watch.choice().pid;
  });
  watch.start(SampleMode::None);
  REQUIRE(waitUntil([&] { return frames > 0; }));
  CHECK(chosen == pid);
  CHECK(frames == 200);
  CHECK(windowTitleOf(watch) == QStringLiteral("Frames of game (4711)"));  // the program, not its launcher
  REQUIRE(kill(static_cast<pid_t>(pid), SIGKILL) == 0);
  const auto stays = [&] {
    return watch.state() == GameWatch::State::ProgramLeft && !waitUntil([] { return false; }, 500);
  };
  CHECK(waitUntil(stays));
  launcher.kill();
  launcher.waitForFinished();
}

TEST_CASE("A window has one process that reads call stacks, however often its game becomes another program") {
  const TestFolder folder;
  folder.write("stream", gameStream({.state = GameState::ProgramLeft, .ended = true}));
  folder.collector("stream stream");
  QProcess game;
  game.start(QStringLiteral(FAULTLINE_BIN "/fake_game"), {QStringLiteral("frames=1000000")});
  REQUIRE(game.waitForStarted());
  const std::size_t before = readers();
  GameWatch watch(
      {.pid = static_cast<std::uint32_t>(game.processId()), .name = QStringLiteral("game"), .synthetic = false}, {},
      folder.path());
  int programs = 0;
  QObject::connect(&watch, &GameWatch::stateChanged, &watch,
                   [&] { programs += watch.state() == GameWatch::State::ProgramLeft ? 1 : 0; });
  watch.start(SampleMode::None);
  REQUIRE(waitUntil([&] { return programs >= 3; }));
  CHECK(waitUntil([&] { return readers() == before + 1; }));  // it takes its name when it runs
  CHECK_FALSE(waitUntil([&] { return readers() > before + 1; }, 300));
  game.kill();
  game.waitForFinished();
}

}  // namespace faultline
