#include "app/collector/pace.h"

#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <utility>
#include <vector>

using namespace faultline;
using namespace std::chrono_literals;

namespace {

// Sweeps as Pace says, each of which takes `cost` of processor time.
struct Sweeps {
  explicit Sweeps(Nanoseconds interval, Nanoseconds each) : pace(interval), usual(interval), cost(each) {}

  void run(Nanoseconds length, bool wanted) {
    for (const MonotonicTime end = now + length; now < end;) {
      // A clock of coarse ticks shows what was used up to the last one.
      const auto shown = tick > 0ns ? used / tick * tick : used;
      interval = pace.next(now, static_cast<std::uint64_t>(shown.count()), wanted);
      fastest = std::min(fastest, interval);
      took.emplace_back(now, used);
      now = now + interval;
      used += cost;
    }
  }
  // The largest share of a core in any minute.
  [[nodiscard]] double worstMinute() const {
    double worst = 0;
    for (auto from = took.begin(), to = took.begin(); to != took.end(); ++to) {
      while (to->first - from->first > 60s) ++from;
      worst = std::max(worst, static_cast<double>((to->second - from->second).count()) / 60e9);
    }
    return worst;
  }

  Pace pace;
  Nanoseconds usual;
  Nanoseconds cost;
  Nanoseconds tick{0};
  MonotonicTime now{1h};
  Nanoseconds used = 100ms;  // to start
  Nanoseconds interval = usual;
  Nanoseconds fastest = usual;
  std::vector<std::pair<MonotonicTime, Nanoseconds>> took;
};

}  // namespace

TEST_CASE("Sweeps come every 50 ms while they are wanted, and at the usual interval again at once") {
  Sweeps sweeps(GENERATE(500ms, 100ms, 5s), 600us);
  sweeps.run(70s, false);
  CHECK(sweeps.fastest == sweeps.usual);
  sweeps.run(10s, true);
  CHECK(sweeps.interval == kFastest);
  sweeps.run(1ms, false);
  CHECK(sweeps.interval == sweeps.usual);
}

TEST_CASE("No minute costs more than the bound, however long faster sweeps are wanted and whatever they cost") {
  Sweeps sweeps(500ms, GENERATE(50us, 600us, 1500us, 3ms, 4900us));
  sweeps.tick = GENERATE(0ns, 15'625'000ns);
  for (int i = 0; i < 6; ++i) {
    sweeps.run(i % 2 == 0 ? 100s : 7s, false);
    sweeps.run(i % 2 == 0 ? 3min : 9s, true);
  }
  CHECK(sweeps.fastest < sweeps.usual);
  CHECK(sweeps.worstMinute() <= kMostShare + 0.001);
}

TEST_CASE("A long wish gets the shortest interval that half of the bound allows for good") {
  Sweeps sweeps(500ms, 900us);
  sweeps.run(10min, true);
  sweeps.fastest = sweeps.usual;
  sweeps.run(1min, true);
  CHECK(sweeps.interval == 100ms);  // 0.9 %
  CHECK(sweeps.worstMinute() <= kMostShare + 0.001);
}

TEST_CASE("A change of the interval lasts for seconds where savings pay for it") {
  Sweeps sweeps(500ms, 3ms);
  sweeps.run(60s, false);
  int changes = 0;
  for (int i = 0; i < 600; ++i) {
    const Nanoseconds before = sweeps.interval;
    sweeps.run(1s, true);
    if (sweeps.interval != before) ++changes;
  }
  CHECK(changes > 0);
  CHECK(changes <= 120);  // five seconds each
}

TEST_CASE("Sweeps that cost too much as they are never come faster") {
  Sweeps sweeps(500ms, 6ms);
  sweeps.run(60s, false);
  sweeps.run(60s, true);
  CHECK(sweeps.fastest == 500ms);
  Sweeps slow(10s, 6ms);  // one at once would take more than a tenth of a core at 50 ms
  slow.run(60s, false);
  slow.run(30s, true);
  CHECK(slow.fastest == 100ms);
}

TEST_CASE("Sweeps whose cost is unknown never come faster") {
  Pace pace(500ms);
  for (int i = 0; i < 1000; ++i) REQUIRE(pace.next({1h + i * 500ms}, std::nullopt, true) == 500ms);
  Pace still(500ms);
  for (int i = 0; i < 1000; ++i) REQUIRE(still.next({1h + i * 500ms}, 7, true) == 500ms);
}

TEST_CASE("An interval of 50 ms or less stays as it is") {
  Sweeps sweeps(GENERATE(50ms, 10ms), 10us);
  sweeps.run(10s, true);
  CHECK(sweeps.fastest == sweeps.usual);
}
