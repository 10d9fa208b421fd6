#include "app/collector/running_spikes.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include "tests/core/spikes/scene.h"

using namespace faultline;
using namespace faultline::test;
using namespace std::chrono_literals;

namespace {

// Sweeps a process with a rate of faults; every 50 ms while a spike runs, if `faster`.
struct Swept {
  explicit Swept(bool maySpeedUp) : faster(maySpeedUp) { scene.process(1); }

  // Returns how long a spike ran.
  Nanoseconds at(std::uint64_t perSecond, Nanoseconds length) {
    Nanoseconds ran{0};
    for (const MonotonicTime end = scene.now.time + length; scene.now.time < end;) {
      const Nanoseconds step = faster && running ? 50ms : 500ms;
      scene.now.system.set(SystemMetric::SweepInterval, static_cast<std::uint64_t>(step.count()));
      scene.fault(1, perSecond * static_cast<std::uint64_t>(step / 1ms) / 1000);
      scene.tick(step);
      if (running) ran += step;
      running = spikes.add(scene.now);
    }
    return ran;
  }

  bool faster;
  Scene scene;
  RunningSpikes spikes{helloOf(500ms)};
  bool running = false;
};

}  // namespace

TEST_CASE("A spike runs from its first sweep to a second or so after its end, however often is swept meanwhile") {
  Swept swept(GENERATE(false, true));
  CHECK(swept.at(2000, 60s) == 0ns);
  Nanoseconds ran = swept.at(200'000, 4s);
  ran += swept.at(2000, 10s);
  CHECK(ran >= 3500ms);
  CHECK(ran <= 5500ms);
  CHECK(swept.at(2000, 60s) == 0ns);
}

TEST_CASE("A spike without end counts for ten seconds") {
  Swept swept(GENERATE(false, true));
  CHECK(swept.at(2000, 60s) == 0ns);
  CHECK(swept.at(200'000, 5min) <= 10500ms);
  CHECK_FALSE(swept.running);
}

TEST_CASE("A spike that repeats a habit does not count, one that is much larger does") {
  Swept swept(true);
  CHECK(swept.at(2000, 60s) == 0ns);
  const auto burst = [&](std::uint64_t perSecond) {
    const Nanoseconds ran = swept.at(perSecond, 1s);
    return ran + swept.at(2000, 4s);
  };
  CHECK(burst(100'000) > 0ns);
  for (int i = 0; i < 3; ++i) CHECK(burst(100'000) == 0ns);
  CHECK(burst(2'000'000) > 0ns);
}

TEST_CASE("Sweeps of another interval make no spike of a steady or a wavering rate") {
  Swept swept(true);
  CHECK(swept.at(2000, 30s) == 0ns);
  for (int i = 0; i < 200; ++i) {  // as a watch of a game has them
    swept.running = i % 20 < 10;
    REQUIRE(swept.at(i % 3 == 0 ? 2600 : 1900, 500ms) <= 50ms);
  }
}

TEST_CASE("What Faultline costs by itself is no spike") {
  Scene scene;
  Hello hello = helloOf(500ms);
  hello.collectorPid = 1;
  hello.source = "sweep";
  RunningSpikes spikes(hello);
  scene.process(1).name = "faultline-colle";
  for (int i = 0; i < 200; ++i) {
    scene.tick();
    scene.fault(1, i > 100 ? 200'000 : 100);
    REQUIRE_FALSE(spikes.add(scene.now));
  }
}
