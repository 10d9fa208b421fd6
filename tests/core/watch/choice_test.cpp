#include "core/watch/choice.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

using Words = std::vector<std::string>;

const ProbePoint kSdl{"/usr/lib/libSDL2-2.0.so.0.2600.5", 4096, "SDL_GL_SwapWindow (libSDL2-2.0.so.0)"};
const ProbePoint kGlx{"/usr/lib/libGLX.so.0.0.0", 8192, "glXSwapBuffers (libGLX.so.0)"};

}  // namespace

TEST_CASE("A game's own marks come before functions, and those before an assumed rate") {
  const WatchChoice own = chooseWatch(7, "game (7)", {.own = true, .functions = {kSdl}});
  CHECK(own.by == FrameEnd::OwnMarks);
  CHECK(own.why == "Frames end with the game's own marks.");
  const WatchChoice function = chooseWatch(7, "game (7)", {.functions = {kSdl}});
  CHECK(function.by == FrameEnd::Function);
  CHECK(function.why == "Frames end with SDL_GL_SwapWindow (libSDL2-2.0.so.0).");
  CHECK(chooseWatch(7, "game (7)", {.functions = {kSdl, kGlx}}).why ==
        "Frames end with the first of these functions that the game calls: SDL_GL_SwapWindow (libSDL2-2.0.so.0), "
        "glXSwapBuffers "
        "(libGLX.so.0).");
  const WatchChoice assumed = chooseWatch(7, "game (7)", {});
  CHECK(assumed.by == FrameEnd::AssumedRate);
  CHECK(assumed.rate == 60);
  CHECK(assumed.why ==
        "game (7) marks no frames, and has loaded no known function that presents frames. Frames of 1/60 s are "
        "assumed. For true frames call faultline_frame() of faultline_frame.h in the game, or name the function that "
        "ends a frame.");
  CHECK(
      chooseWatch(7, "game (7)", {.obstacle = "It was replaced."}).why.starts_with("It was replaced. Frames of 1/60"));
}

TEST_CASE("PresentMon tells the frames of a game without marks and known functions, where it is found") {
  const std::string program = "C:\\PresentMon.exe";
  CHECK(chooseWatch(7, "game (7)", {.own = true, .presentMon = program}).by == FrameEnd::OwnMarks);
  CHECK(chooseWatch(7, "game (7)", {.functions = {kSdl}, .presentMon = program}).by == FrameEnd::Function);
  const WatchChoice told = chooseWatch(7, "game (7)", {.presentMon = program, .obstacle = "x"});
  CHECK(told.by == FrameEnd::Log);
  CHECK(told.why == "Frames are those that PresentMon tells (C:\\PresentMon.exe).");
  CHECK(watchArguments(watchOptions(told, 10s, SampleMode::None, 16ms)) ==
        Words{"watch", "7", "--presentmon", program, "--samples", "none"});
}

TEST_CASE("A choice asks a collector for one way of marking") {
  CHECK(watchArguments(watchOptions(watchOwnMarks(7, "render"), 10s, SampleMode::None, 16'700us)) ==
        Words{"watch", "7", "--wait", "10s", "--mark", "render", "--samples", "none"});
  CHECK(watchArguments(watchOptions(watchAtRate(7, 144), 10s, SampleMode::All, 16'700us)) ==
        Words{"watch", "7", "--assume", "144", "--samples", "all"});
  CHECK(watchArguments(watchOptions(watchFunction(7, kSdl), 10s, SampleMode::Spikes, 16ms)) ==
        Words{"watch", "7", "--probe", kSdl.file, "4096", kSdl.name, "--samples", "spikes", "--sample-after", "400us"});
}

TEST_CASE("The text for a game that draws no frame names the function waited for") {
  CHECK(waitingText(watchFunction(7, kSdl)) ==
        "Waiting for the first frame: SDL_GL_SwapWindow (libSDL2-2.0.so.0) has not been called yet.");
  CHECK(waitingText(chooseWatch(7, "game (7)", {.functions = {kSdl, kGlx}})) ==
        "Waiting for the first frame: none of SDL_GL_SwapWindow (libSDL2-2.0.so.0), glXSwapBuffers (libGLX.so.0) has "
        "been called yet.");
}
