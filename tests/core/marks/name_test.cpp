#include "core/marks/name.h"

#include <catch2/catch_test_macros.hpp>

using faultline::FunctionName;
using faultline::parseFunctionName;

TEST_CASE("A mark with a single colon is a function of a file") {
  CHECK(parseFunctionName("libSDL2-2.0.so.0:SDL_GL_SwapWindow") ==
        FunctionName{"libSDL2-2.0.so.0", "SDL_GL_SwapWindow"});
  CHECK(parseFunctionName("/opt/my game/game:present") == FunctionName{"/opt/my game/game", "present"});
  CHECK(parseFunctionName("game:Renderer::present(int)") == FunctionName{"game", "Renderer::present(int)"});
  CHECK(parseFunctionName("game:name[abi:cxx11]()") == FunctionName{"game", "name[abi:cxx11]()"});
  CHECK(parseFunctionName(":Renderer::present") == FunctionName{"", "Renderer::present"});
  CHECK(parseFunctionName("C:\\Games\\game.exe:present") == FunctionName{"C:\\Games\\game.exe", "present"});
  CHECK(parseFunctionName("game:") == FunctionName{"game", ""});
}

TEST_CASE("A mark without a single colon is the game's own") {
  CHECK_FALSE(parseFunctionName("render"));
  CHECK_FALSE(parseFunctionName(""));
  CHECK_FALSE(parseFunctionName("Renderer::present"));
}
