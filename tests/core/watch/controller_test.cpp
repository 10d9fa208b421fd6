#include "core/watch/controller.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/core/watch/scripted_marks.h"

using namespace faultline;

TEST_CASE("A launched game is named as reported by its collector, also after it has ended") {
  constexpr std::uint32_t kGone = 4711;
  constexpr std::uint32_t kLauncher = 7;
  test::ScriptedMarks marks;
  WatchController controller(marks, kLauncher, {}, {});
  controller.begin({.pid = kGone, .why = "Frames end with the game's own marks."});
  Hello hello;
  hello.watched.emplace();
  hello.watched->pid = kGone;
  hello.watched->name = "game";
  hello.watched->by = FrameEnd::OwnMarks;
  CHECK_FALSE(controller.onHello(hello, {}));
  CHECK(controller.game() == "game (4711)");
  CHECK(controller.sentence() ==
        "Watching game (4711), which program (7) has started. Frames end with the game's own marks.");
}
