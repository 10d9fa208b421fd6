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

namespace {

const ProbePoint kLoader{"/lib/libvulkan.so.1", 1, "vkQueuePresentKHR (libvulkan.so.1)"};
const ProbePoint kLookup{"/lib/libvulkan.so.1", 2, "vkGetDeviceProcAddr (libvulkan.so.1)", ProbeCalls::Lookups};
const ProbePoint kPut{"/lib/libxcb.so.1", 3, "xcb_put_image (libxcb.so.1)"};
const ProbePoint kDriver{"/lib/libdriver.so", 4, "vkQueuePresentKHR (libdriver.so)"};

Hello helloWith(const std::string& mark, std::optional<ProbePoint> handedOut) {
  Hello hello;
  WatchedGame& game = hello.watched.emplace();
  game.by = FrameEnd::Function;
  game.mark = mark;
  game.handedOut = std::move(handedOut);
  return hello;
}

}  // namespace

TEST_CASE("The function that a lookup hands out is watched in the place of the lookup") {
  test::ScriptedMarks marks;
  marks.processes[7] = {.functions = {kLoader, kLookup, kPut}};
  WatchController controller(marks, 7, {}, {});
  const auto first = controller.look({});
  REQUIRE(first);
  REQUIRE(*first);
  CHECK((*first)->functions == std::vector{kLoader, kLookup, kPut});
  CHECK((*first)->why.find("vkGetDeviceProcAddr") == std::string::npos);
  controller.begin(**first);
  CHECK_FALSE(controller.onHello(helloWith("", std::nullopt), {}));
  const auto better = controller.onHello(helloWith("", kDriver), {});
  REQUIRE(better);
  CHECK(better->functions == std::vector{kLoader, kDriver, kPut});
  controller.begin(*better);
  CHECK_FALSE(controller.onHello(helloWith("", std::nullopt), {}));
  CHECK_FALSE(controller.onHello(helloWith(kDriver.name, std::nullopt), {}));
  CHECK(controller.sentence() == "Frames end with vkQueuePresentKHR (libdriver.so).");
  CHECK_FALSE(controller.onHello(helloWith(kDriver.name, kDriver), {}));  // no news
  CHECK_FALSE(controller.lookForBetter(*controller.lookAgainAt(), false));
}

TEST_CASE("A function that a lookup hands out and that has a name already is watched once") {
  test::ScriptedMarks marks;
  marks.processes[7] = {.functions = {kLoader, kLookup, kDriver}};
  WatchController controller(marks, 7, {}, {});
  controller.begin(**controller.look({}));
  const auto better = controller.onHello(helloWith("", kDriver), {});
  REQUIRE(better);
  CHECK(better->functions == std::vector{kLoader, kDriver});
}

TEST_CASE("The function before comes back where the one that was handed out is not called") {
  test::ScriptedMarks marks;
  marks.processes[7] = {.functions = {kLoader, kLookup, kPut}};
  WatchController controller(marks, 7, {}, {});
  controller.begin(**controller.look({}));
  const auto better = controller.onHello(helloWith(kPut.name, kDriver), {});
  REQUIRE(better);
  controller.begin(*better);
  CHECK_FALSE(controller.onHello(helloWith("", std::nullopt), {}));
  REQUIRE(controller.waits());
  const auto back = controller.searchAgain(WatchController::Time(std::chrono::seconds(20)));
  REQUIRE(back);
  CHECK(back->functions == std::vector{kLoader, kLookup, kPut});
}
