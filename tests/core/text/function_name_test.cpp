#include "core/text/function_name.h"

#include <catch2/catch_test_macros.hpp>

using faultline::bareFunctionName;
using faultline::lastIdentifier;

TEST_CASE("A function name is reduced to the part between return type and parameters") {
  CHECK(bareFunctionName("SDL_GL_SwapWindow") == "SDL_GL_SwapWindow");
  CHECK(bareFunctionName("Renderer::present()") == "Renderer::present");
  CHECK(bareFunctionName("Renderer::present(int, std::pair<int, char>) const") == "Renderer::present");
  CHECK(bareFunctionName("void swap<Window>(Window&)") == "swap<Window>");
  CHECK(bareFunctionName("std::map<int, void (*)(int)> make<int>(int)") == "make<int>");
  CHECK(bareFunctionName("(anonymous namespace)::Game::frame(long)") == "(anonymous namespace)::Game::frame");
  CHECK(bareFunctionName("play(int) [clone .cold]") == "play");
}

TEST_CASE("Operators and lambdas keep their names") {
  CHECK(bareFunctionName("Task::operator()(int) const") == "Task::operator()");
  CHECK(bareFunctionName("operator<<(Stream&, int)") == "operator<<");
  CHECK(bareFunctionName("Handle::operator bool() const") == "Handle::operator bool");
  CHECK(bareFunctionName("run(int)::{lambda()#1}::operator()() const") == "run(int)::{lambda()#1}::operator()");
}

TEST_CASE("The last identifier of a function name is extracted") {
  CHECK(lastIdentifier("present") == "present");
  CHECK(lastIdentifier("ns::Renderer::present(int)") == "present");
  CHECK(lastIdentifier("swap<Window>(Window&)") == "swap");
  CHECK(lastIdentifier("Game::~Game()") == "Game");
  CHECK(lastIdentifier("Task::operator()()").empty());
  CHECK(lastIdentifier("").empty());
}
