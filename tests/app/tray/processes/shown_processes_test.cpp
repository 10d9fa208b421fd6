#include "app/tray/processes/shown_processes.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

constexpr ProcessKey kGame{7, 1007};
constexpr ProcessKey kBrowser{9, 1009};

}  // namespace

TEST_CASE("A pinned process has a row unless nothing is known about it") {
  StagedMonitor stage;
  Pins pins;
  pins.set({kGame, {8, 1008}});
  stage.process(7, "game");
  stage.tick();
  stage.kill(7);
  stage.process(9, "browser");
  stage.tick();
  ShownProcesses shown(stage.monitor, pins);
  shown.update(std::nullopt);
  CHECK(shown.keys() == std::vector{kGame, kBrowser});
  CHECK_FALSE(shown.runs(kGame));
  CHECK(shown.runs(kBrowser));
  CHECK(shown.nameOf(kGame) == "game");
  CHECK_FALSE(shown.nameOf({8, 1008}).has_value());
}

TEST_CASE("At an instant of the past the processes that ran then have rows") {
  StagedMonitor stage;
  const Pins pins;
  stage.process(7, "game");
  stage.tick();
  const MonotonicTime then = stage.time;
  stage.kill(7);
  stage.process(9, "browser");
  stage.tick();
  ShownProcesses shown(stage.monitor, pins);
  shown.update(then);
  CHECK(shown.keys() == std::vector{kGame});
  CHECK_FALSE(shown.has(kBrowser));
  shown.update(std::nullopt);
  CHECK(shown.keys() == std::vector{kBrowser});
}

}  // namespace faultline
