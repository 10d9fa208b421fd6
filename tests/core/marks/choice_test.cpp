#include "core/marks/choice.h"

#include <array>
#include <catch2/catch_test_macros.hpp>

namespace faultline::test {
namespace {

using namespace std::chrono_literals;

constexpr MonotonicTime kStart{1h};

MonotonicTime at(Nanoseconds since) {
  return kStart + since;
}

// Calls `first`, then `second`, every 10 ms from `from` to `until`; returns how many calls end a frame.
int play(MarkChoice& choice, std::size_t first, std::size_t second, Nanoseconds from, Nanoseconds until) {
  int frames = 0;
  for (Nanoseconds time = from; time < until; time += 10ms) {
    frames += choice.ends(first, at(time)) ? 1 : 0;
    frames += choice.ends(second, at(time + 2us)) ? 1 : 0;
  }
  return frames;
}

}  // namespace

TEST_CASE("No function is chosen before the first call") {
  MarkChoice choice(3);
  CHECK_FALSE(choice.chosen());
  CHECK_FALSE(choice.changed());
  CHECK(choice.ends(2, at(0s)));
  CHECK(choice.chosen() == 2U);
  CHECK(choice.changed());
  CHECK_FALSE(choice.changed());
}

TEST_CASE("If two functions are called per frame, only the preferred one ends it") {
  MarkChoice choice(3);
  CHECK(play(choice, 0, 1, 0s, 5s) == 500);
  CHECK(choice.chosen() == 0U);
}

TEST_CASE("A preferred function called second takes over in the first frame") {
  MarkChoice choice(3);
  CHECK(choice.ends(2, at(0s)));
  CHECK(choice.changed());
  CHECK(choice.ends(1, at(1us)));
  CHECK(choice.changed());
  CHECK(play(choice, 2, 1, 10ms, 5s) == 499);
  CHECK_FALSE(choice.changed());
}

TEST_CASE("A preferred function that appears late takes over at once") {
  MarkChoice choice(2);
  for (int frame = 0; frame < 1000; ++frame) CHECK(choice.ends(1, at(frame * 10ms)));
  CHECK(choice.changed());
  CHECK(choice.ends(0, at(10s)));
  CHECK(choice.changed());
  CHECK_FALSE(choice.ends(1, at(10s + 1ms)));
}

TEST_CASE("If the chosen function is no longer called, another takes over after a second") {
  MarkChoice choice(2);
  CHECK(play(choice, 0, 1, 0s, 1s) == 100);
  CHECK(choice.changed());
  Nanoseconds time = 1s;
  while (!choice.ends(1, at(time))) time += 10ms;
  CHECK(time >= 1990ms);
  CHECK(time < 2100ms);
  CHECK(choice.changed());
  CHECK(choice.ends(1, at(time + 10ms)));
}

TEST_CASE("A game that pauses continues with the same function") {
  MarkChoice choice(2);
  CHECK(play(choice, 1, 0, 10ms, 1s) == 100);  // including the first call of 1, before 0 was known
  CHECK(choice.changed());
  CHECK(play(choice, 1, 0, 1min, 2min) == 6000);
  CHECK_FALSE(choice.changed());
  for (const Nanoseconds time : {3min, 4min, 5min, 6min}) {
    CHECK_FALSE(choice.ends(1, at(time)));
    CHECK(choice.ends(0, at(time + 1us)));
  }
  CHECK_FALSE(choice.changed());
}

TEST_CASE("A preferred function that is called rarely does not take over repeatedly") {
  MarkChoice choice(2);
  int changes = 0;
  for (Nanoseconds time = 0s; time < 60s; time += 10ms) {
    if (time % 3s == 0s) static_cast<void>(choice.ends(0, at(time)));
    static_cast<void>(choice.ends(1, at(time)));
    changes += choice.changed() ? 1 : 0;
  }
  CHECK(changes == 2);
  CHECK(choice.chosen() == 1U);
}

TEST_CASE("A preferred function of a few calls a second does not keep the frames of a game from another one") {
  MarkChoice choice(2);
  int changes = 0;
  for (Nanoseconds time = 0s; time < 60s; time += 20ms) {
    if (time % 500ms == 0s) static_cast<void>(choice.ends(0, at(time)));  // a cursor blinks
    static_cast<void>(choice.ends(1, at(time + 1ms)));
    changes += choice.changed() ? 1 : 0;
    if (time > 4s) CHECK(choice.chosen() == 1U);
  }
  CHECK(changes <= 2);
}

TEST_CASE("A preferred function of a slow game keeps its frames, though each shows several pictures otherwise") {
  MarkChoice choice(2);
  for (int frame = 0; frame < 300; ++frame) {  // 20 per second
    CHECK(choice.ends(0, at(frame * 50ms)));
    for (int part = 0; part < 8; ++part) CHECK_FALSE(choice.ends(1, at(frame * 50ms + part * 5ms + 1ms)));
  }
}

TEST_CASE("A preferred function that returns permanently takes over again") {
  MarkChoice choice(2);
  CHECK(play(choice, 0, 1, 0s, 1s) == 100);
  for (Nanoseconds time = 1s; time < 4s; time += 10ms) static_cast<void>(choice.ends(1, at(time)));
  CHECK(choice.chosen() == 1U);
  play(choice, 0, 1, 4s, 5s);
  CHECK(choice.chosen() == 0U);
}

TEST_CASE("Calls that show a picture in parts end one frame; other calls as close end one frame each") {
  for (const ProbeCalls calls : {ProbeCalls::Parts, ProbeCalls::All}) {
    const std::array candidates{calls};
    MarkChoice choice{candidates};
    int frames = 0;
    for (Nanoseconds time = 0s; time < 5s; time += 52ms)
      for (int part = 0; part < 8; ++part) frames += choice.ends(0, at(time + part * 300us)) ? 1 : 0;
    CHECK(frames == (calls == ProbeCalls::Parts ? 97 : 8 * 97));
    CHECK(choice.parts() == (calls == ProbeCalls::Parts ? 7 * 97 : 0));
  }
}

TEST_CASE("Calls out of order and unknown candidates are harmless") {
  MarkChoice choice(2);
  CHECK_FALSE(choice.ends(2, at(0s)));
  CHECK_FALSE(choice.chosen());
  CHECK(choice.ends(0, at(5s)));
  CHECK(choice.ends(0, at(4s)));
  CHECK_FALSE(choice.ends(1, at(-1h)));
  CHECK(choice.chosen() == 0U);
  CHECK_FALSE(MarkChoice(0).ends(0, at(0s)));
}

}  // namespace faultline::test
