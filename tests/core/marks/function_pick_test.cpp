#include "core/marks/function_pick.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace faultline;

namespace {

const std::vector<KnownFunction> kFunctions{
    {.symbol = "swap", .version = "GLX_1.0", .oldVersion = true, .address = 0x100},
    {.symbol = "swap", .version = "GLX_1.3", .address = 0x200},
    {.symbol = "_ZN8Renderer7presentEv", .readable = "Renderer::present()", .address = 0x300},
    {.symbol = "_ZN8Renderer7presentEi", .readable = "Renderer::present(int)", .address = 0x400},
    {.symbol = "_ZN8Renderer5clearEv", .readable = "Renderer::clear()", .address = 0x500},
    {.symbol = "draw", .global = false, .address = 0x600},
    {.symbol = "draw", .global = false, .address = 0x700},
    {.symbol = "flip", .address = 0x800},
    {.symbol = "flip_alias", .address = 0x800},
    {.symbol = "copy", .chosenAtStart = true, .address = 0x900},
    {.symbol = "only", .global = false, .address = 0xa00},
    {.symbol = "only", .address = 0xb00},
};

std::uint64_t addressOf(std::string_view wanted) {
  const auto picked = pickFunction(kFunctions, wanted, "game");
  INFO((picked ? "" : picked.error().message));
  REQUIRE(picked);
  return picked->address;
}

std::string complaint(std::string_view wanted) {
  const auto picked = pickFunction(kFunctions, wanted, "game");
  REQUIRE_FALSE(picked);
  return picked.error().message;
}

}  // namespace

TEST_CASE("The default version of a function is chosen, unless a version is named") {
  CHECK(addressOf("swap") == 0x200);
  CHECK(addressOf("swap@GLX_1.0") == 0x100);
  CHECK(addressOf("swap@@GLX_1.3") == 0x200);
  CHECK(complaint("swap@GLX_9") ==
        "game has no function 'swap@GLX_9'. Similar names: swap@GLX_1.0, swap@GLX_1.3, draw, flip, Renderer::clear(), "
        "copy and 4 more.");
}

TEST_CASE("A C++ function is found by symbol, full name, or name without parameters") {
  CHECK(addressOf("_ZN8Renderer7presentEi") == 0x400);
  CHECK(addressOf("Renderer::present(int)") == 0x400);
  CHECK(addressOf("Renderer::clear") == 0x500);
  CHECK(complaint("Renderer::present") ==
        "game has 2 functions 'Renderer::present': Renderer::present(), Renderer::present(int). Name one of them.");
}

TEST_CASE("Functions of the same name are distinguished by address; global ones are preferred") {
  CHECK(complaint("draw") ==
        "game has 2 functions 'draw': draw at 0x600, draw at 0x700. Name one of them by its address, such as 0x600.");
  CHECK(addressOf("only") == 0xb00);
  CHECK(addressOf("flip") == 0x800);
}

TEST_CASE("A resolver (IFUNC) is refused") {
  CHECK(complaint("copy") ==
        "'copy' of game is resolved to one of several functions when the program starts. Name the chosen one.");
}

TEST_CASE("Similar names are of interest") {
  CHECK(isRelevantName("_ZN8Renderer7presentEv", "Renderer::present"));
  CHECK(isRelevantName("fakeGamePresent", "present"));
  CHECK(isRelevantName("SDL_GL_SwapWindow", "SDL_GL_SwapWindows"));
  CHECK(isRelevantName("swap", "swap@GLX_1.3"));
  CHECK(isRelevantName("fakeGamePresent", "fakeGamePresnt"));
  CHECK(isRelevantName("_ZN8Renderer7presentEv", "Renderer::persent"));
  CHECK_FALSE(isRelevantName("_ZN8Renderer7presentEv", "Renderer::percent2"));
  CHECK_FALSE(isRelevantName("_ZN99999999999999999999999", "present"));
  CHECK_FALSE(isRelevantName("main", "present"));
  CHECK_FALSE(isRelevantName("end", "present_end"));
  CHECK(pickFunction({}, "present", "game").error().message == "game has no function 'present'.");
}
