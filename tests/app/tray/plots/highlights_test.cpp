#include "app/tray/plots/highlights.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

constexpr ProcessKey kGame{7, 1007};
constexpr ProcessKey kOther{8, 1008};

// A game with steady faults, one spike, and steady faults again.
struct Scene {
  Scene() {
    stage.process(8);
    for (int i = 0; i < 100; ++i) tick(100);
    tick(200'000);
    peak = stage.time;
    for (int i = 0; i < 20; ++i) tick(100);
    view.setData(*stage.monitor.history().oldest(), stage.time);
  }

  void tick(std::uint64_t faults) {
    stage.process(7, "game");
    stage.add(7, ProcessMetric::MinorFaults, faults);
    stage.tick();
  }
  [[nodiscard]] std::vector<SpikeMark> marks(std::size_t columns = 500) {
    return highlights.marks(stage.monitor.history().total(ProcessMetric::MinorFaults, view.from(), view.to(), columns),
                            0);
  }

  StagedMonitor stage;
  TimeView view;
  SpikeMutes mutes;
  Highlights highlights{stage.monitor, view};
  MonotonicTime peak;
};

}  // namespace

TEST_CASE("A spike has a diamond and the name of its program, and its peak has no second mark") {
  Scene scene;
  const auto marks = scene.marks();
  REQUIRE_FALSE(marks.empty());
  CHECK(marks.front().time == scene.peak);
  CHECK(marks.front().flagged);
  CHECK(marks.front().name == QStringLiteral("game"));
  for (std::size_t i = 1; i < marks.size(); ++i) CHECK(marks[i].time != scene.peak);
  CHECK(scene.highlights.heaviestSpike(scene.peak, scene.peak) != nullptr);
}

TEST_CASE("The spike of a muted program loses its diamond, and keeps its name as a high peak") {
  Scene scene;
  scene.highlights.setMutes(scene.mutes);
  scene.mutes.mute("game");
  const auto marks = scene.marks();
  REQUIRE_FALSE(marks.empty());
  CHECK(marks.front().time == scene.peak);
  CHECK_FALSE(marks.front().flagged);
  CHECK(marks.front().name == QStringLiteral("game"));
  CHECK(scene.highlights.heaviestSpike(scene.peak, scene.peak) == nullptr);
}

TEST_CASE("While a process is followed only its own spikes are marked") {
  Scene scene;
  scene.highlights.follow(kOther);
  CHECK(scene.marks().empty());
  scene.highlights.follow(kGame);
  const auto marks = scene.marks();
  REQUIRE(marks.size() == 1);
  CHECK(marks.front().flagged);
}

}  // namespace faultline
