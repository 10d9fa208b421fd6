#include "app/tray/plots/calm_scale.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;
using namespace std::chrono_literals;

TEST_CASE("Scales end at round numbers") {
  CHECK(roundUp(0, Rounding::Decimal) == 0);
  CHECK(roundUp(1, Rounding::Decimal) == 1);
  CHECK(roundUp(1.1, Rounding::Decimal) == 2);
  CHECK(roundUp(3000, Rounding::Decimal) == 4000);
  CHECK(roundUp(8001, Rounding::Decimal) == 10000);
  CHECK(roundUp(0.03, Rounding::Decimal) == 0.04);
  CHECK(roundUp(1025, Rounding::Binary) == 2048);
  CHECK(roundUp(4096, Rounding::Binary) == 4096);
}

TEST_CASE("A scale grows at once and shrinks only after a calm while") {
  CalmScale scale(Rounding::Decimal, 100);
  CHECK(scale.update(10, 0s) == 100);
  CHECK(scale.update(5000, 1s) == 8000);
  CHECK(scale.update(10, 2s) == 8000);
  CHECK(scale.update(10, 4s) == 8000);
  CHECK(scale.update(10, 6s) == 100);
}

TEST_CASE("A scale does not shrink while the data fills half of it now and then") {
  CalmScale scale(Rounding::Decimal, 1);
  (void)scale.update(900, 0s);
  for (int s = 1; s < 60; ++s) CHECK(scale.update(s % 3 == 0 ? 700 : 20, std::chrono::seconds(s)) == 1000);
}

TEST_CASE("A scale is right at once when time jumps back with another recording") {
  CalmScale scale(Rounding::Decimal, 1);
  (void)scale.update(900, 1000s);
  CHECK(scale.update(3, 5s) == 4);
}
