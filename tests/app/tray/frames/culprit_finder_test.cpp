#include "app/tray/frames/culprit_finder.h"

#include <QSignalSpy>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/frames/some_game.h"
#include "tests/app/tray/wait_until.h"

namespace faultline {
namespace {

using namespace std::chrono_literals;

}  // namespace

TEST_CASE("While stacks are scarce, some of a frame are read, and all of them once somebody looks at it") {
  const TestFolder folder;
  folder.write("stream", gameStream({.frames = 10'500, .state = GameState::Exited, .ended = true}));
  folder.collector("stream stream");
  GameWatch watch({.pid = 4711, .name = QStringLiteral("game"), .synthetic = true}, {}, folder.path());
  watch.start(SampleMode::Some);
  REQUIRE(waitUntil([&] { return watch.state() == GameWatch::State::Exited; }));
  const auto isWorst = [&](std::uint64_t place) {
    return std::ranges::any_of(watch.worst().rows(), [&](const auto& row) { return row.place == place; });
  };
  std::uint64_t place = 49;
  while (isWorst(place)) place += 50;
  REQUIRE(watch.sampleCountAt(place) == 64);
  watch.budget().spend(20s);
  CulpritFinder finder(watch);
  const auto samples = [&] {
    REQUIRE(waitUntil([&] { return !finder.busyWith(place); }));
    return finder.found(place)->samples;
  };
  finder.ask(place);
  CHECK(samples() == 16);
  finder.ask(place);
  CHECK(samples() == 16);
  finder.askForAll(place);
  CHECK(samples() == 64);
  QSignalSpy again(&finder, &CulpritFinder::foundNow);
  finder.askForAll(place);
  CHECK(samples() == 64);
  CHECK(again.isEmpty());
  finder.ask(watch.worst().rows().front().place);
  REQUIRE(waitUntil([&] { return !again.isEmpty(); }));
  CHECK(finder.found(watch.worst().rows().front().place)->samples == 64);
}

}  // namespace faultline
