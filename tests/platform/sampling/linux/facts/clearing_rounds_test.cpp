#include "platform/sampling/linux/facts/clearing_rounds.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <functional>

using namespace faultline;
using namespace std::chrono_literals;
using Catch::Approx;

namespace {

// A collector that samples twice a second, with fake measurements.
struct Collector {
  Nanoseconds took = 700us;
  double others = 0;
  std::function<std::optional<ClearingRound>(int)> round = [](int) { return ClearingRound{100, 20}; };

  ClearingRounds rounds{};
  int measured = 0;
  Nanoseconds spent{0};
  Nanoseconds now{0};

  void run(Nanoseconds length) {
    for (const Nanoseconds end = now + length; now < end; now += 500ms) {
      while (rounds.begin({now}, others)) {
        ++measured;
        spent += took;
        rounds.add({now}, round(measured), took);
      }
    }
  }
};

}  // namespace

TEST_CASE("The cost of clearing is known at once on an idle machine, also if its rounds never agree") {
  Collector agreeing;
  agreeing.run(500ms);
  CHECK(agreeing.measured == 3);
  REQUIRE(agreeing.rounds.cost());
  CHECK(agreeing.rounds.cost()->low.cold == 100);
  CHECK(agreeing.rounds.cost()->low.cached == 20);
  CHECK(agreeing.rounds.cost()->spread == 0);
  Collector differing;
  differing.round = [](int number) { return ClearingRound{100 + 30.0 * (number % 5), 20}; };
  for (int i = 0; i < 1200; ++i) {
    differing.run(500ms);
    REQUIRE(differing.rounds.cost());
    CHECK(differing.rounds.cost()->low.cold <= 160);
  }
  CHECK(differing.rounds.cost()->spread > 0.2);
}

TEST_CASE(
    "Measuring the cost of clearing takes less than a millisecond of processor time a minute, whatever it finds") {
  const auto cheap = [](Collector collector) {
    CAPTURE(collector.took.count());
    for (int minutes = 10; minutes <= 600; minutes += 10) {
      collector.run(10min);
      REQUIRE(collector.spent < minutes * 1ms + collector.took);
    }
    CHECK(collector.measured > 0);
  };
  for (const Nanoseconds took : {100us, 700us, 2000us, 36'000us}) {
    cheap({.took = took});
    cheap({.took = took, .round = [](int number) { return ClearingRound{100.0 * (1 + number % 2), 20}; }});
    cheap({.took = took, .round = [](int) { return std::nullopt; }});
  }
}

TEST_CASE("A slow machine knows the cost of clearing by fewer rounds") {
  Collector slow{.took = 36ms};
  slow.run(1s);
  CHECK(slow.measured == 1);
  CHECK(slow.rounds.cost());
}

TEST_CASE("Interrupted rounds are repeated after longer and longer pauses") {
  Collector collector{.took = 10us, .round = [](int number) {
                        return number > 4 ? std::optional(ClearingRound{100, 20}) : std::nullopt;
                      }};
  collector.run(5s);
  CHECK(collector.measured == 1);
  collector.run(10s);
  CHECK(collector.measured == 2);
  collector.run(20s);
  CHECK(collector.measured == 3);
  CHECK_FALSE(collector.rounds.cost());
  collector.run(1min);
  CHECK(collector.rounds.cost());
}

TEST_CASE("The cost of clearing is never measured while others are busy, and soon after") {
  Collector collector{.others = 1};
  collector.run(10min);
  CHECK(collector.measured == 0);
  CHECK_FALSE(collector.rounds.cost());
  collector.others = 0.05;
  collector.run(3s);
  CHECK(collector.rounds.cost());
  // Later, one thread that measures on two processors is enough to wait.
  const int before = collector.measured;
  collector.others = 0.5;
  collector.run(10min);
  CHECK(collector.measured == before);
  CHECK(collector.rounds.cost());
}

TEST_CASE("The cost of clearing is that of the low rounds, even if disturbed rounds were very slow") {
  const auto costOf = [](std::vector<double> factors) {
    ClearingRounds rounds;
    for (const double factor : factors) rounds.add({}, ClearingRound{100 * factor, 20 * factor}, 0ns);
    return rounds.cost();
  };
  const auto cost = costOf({40, 1.01, 1.03, 20, 1, 1.02});
  REQUIRE(cost);
  CHECK(cost->low.cold == Approx(101));
  CHECK(cost->spread == Approx(1.03 / 1.01 - 1));
  CHECK_FALSE(costOf({}));
  CHECK_FALSE(costOf({0.01, 0.01, 0.01}));  // no memory is this fast
  CHECK_FALSE(costOf({44, 44, 44}));        // or this slow
}
