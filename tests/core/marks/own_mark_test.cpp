#include "core/marks/own_mark.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

using namespace faultline;

TEST_CASE("The mark whose name speaks of pictures is preferred to one that was set first") {
  using Names = std::vector<std::string>;
  CHECK(preferredMark(Names{"audio", "render"}) == 1U);
  CHECK(preferredMark(Names{"physics", "audio", "Main Frame", "draw"}) == 2U);
  CHECK(preferredMark(Names{"tick", "audio"}) == 0U);
  CHECK(preferredMark(Names{"", "audio"}) == 1U);
  CHECK_FALSE(preferredMark(Names{"", ""}));
}
