#include "platform/host/watch/course.h"

#include <unistd.h>

#include <catch2/catch_test_macros.hpp>

#include "platform/host/processes.h"

using namespace faultline;

TEST_CASE("A launched game is named as reported by its collector, also after it has ended") {
  constexpr std::uint32_t kGone = 4'194'305;  // beyond the highest pid there can be
  const auto launcher = static_cast<std::uint32_t>(getpid());
  WatchCourse course(launcher, {}, {});
  course.begin({.pid = kGone, .why = "Frames end with the game's own marks."});
  Hello hello;
  hello.watched.emplace();
  hello.watched->pid = kGone;
  hello.watched->name = "game";
  hello.watched->method = "header";
  CHECK_FALSE(course.greeted(hello, {}));
  CHECK(course.game() == "game (4194305)");
  CHECK(course.sentence() == "Watching game (4194305), which " + nameProcess(launcher) +
                                 " has started. Frames end with the game's own marks.");
}
