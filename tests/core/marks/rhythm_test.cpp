#include "core/marks/rhythm.h"

#include <catch2/catch_test_macros.hpp>
#include <vector>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

// How many calls begin a picture, if the gaps repeat `rounds` times.
int pictures(const std::vector<Nanoseconds>& gaps, int rounds) {
  CallRhythm rhythm;
  MonotonicTime time{1h};
  int begun = 0;
  for (int round = 0; round < rounds; ++round) {
    for (const Nanoseconds gap : gaps) {
      time = time + gap;
      begun += rhythm.begins(time) ? 1 : 0;
    }
  }
  return begun;
}

}  // namespace

TEST_CASE("Eight parts of a picture, 19 times a second, are 19 pictures a second") {
  CHECK(pictures({49ms, 300us, 300us, 300us, 300us, 300us, 300us, 300us}, 19 * 60) == 19 * 60);
}

TEST_CASE("The parts that Frozen Bubble shows 50 times a second are that many pictures") {
  const int begun = pictures({17900us, 400us, 1500us, 17800us, 400us, 2700us, 17000us, 1100us, 300us, 1600us}, 1000);
  CHECK(begun >= 3000);
  CHECK(begun < 3010);  // before its rhythm is known
}

TEST_CASE("Regular calls begin a picture each, at any rate") {
  for (const Nanoseconds gap : {50ms, 16ms, 5ms, 2ms}) CHECK(pictures({gap}, 1000) == 1000);
  CHECK(pictures({100us}, 1000) > 980);
}

TEST_CASE("A game that stands still from time to time loses no picture for that") {
  std::vector<Nanoseconds> gaps(30, 2ms);
  gaps.push_back(80ms);
  CHECK(pictures(gaps, 100) == 3100);
  std::vector<Nanoseconds> stutter{16ms, 5ms, 90ms, 7ms, 300ms};
  CHECK(pictures(stutter, 100) == 500);
}

TEST_CASE("A call out of order begins no picture") {
  CallRhythm rhythm;
  CHECK(rhythm.begins({1s}));
  CHECK_FALSE(rhythm.begins({990ms}));
  CHECK(rhythm.begins({1010ms}));
}

}  // namespace faultline::test
