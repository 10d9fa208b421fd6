#include "app/tray/plots/highlights.h"

#include <algorithm>
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
  [[nodiscard]] std::vector<SpikeMark> marks(std::size_t columns = 500) { return marks(Panel::Faults, columns); }
  [[nodiscard]] std::vector<SpikeMark> marks(Panel panel, std::size_t columns = 500) {
    return highlights.marks(panel, stage.monitor.history().total(processSeries(panel), view.from(), view.to(), columns),
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

// Every five seconds the same burst.
TEST_CASE("Spikes that repeat a habit are small marks without a name, but the highest peaks keep theirs") {
  Scene scene;
  for (int burst = 0; burst < 10; ++burst) {
    scene.tick(200'000);
    for (int i = 0; i < 9; ++i) scene.tick(100);
  }
  scene.view.setData(*scene.stage.monitor.history().oldest(), scene.stage.time);
  scene.view.showAll();
  const auto& spikes = scene.stage.monitor.spikes();
  REQUIRE(spikes.size() == 11);
  const auto marks = scene.marks();
  CHECK(std::ranges::count(marks, true, &SpikeMark::flagged) == 11);
  CHECK(std::ranges::count(marks, false, &SpikeMark::again) == 1);
  CHECK(marks.front().time == scene.peak);
  CHECK_FALSE(marks.front().again);
  const auto named = std::ranges::count(marks, QStringLiteral("game"), &SpikeMark::name);
  CHECK((named > 1 && named <= 4));  // the first and the three highest peaks
  CHECK(scene.highlights.heaviestSpike(spikes.back().peakTime, spikes.back().peakTime) != nullptr);
}

TEST_CASE("The highest peaks of time and of zeroed memory have the name of the process that caused them") {
  Scene scene;
  const auto tick = [&](std::uint32_t pid, ProcessMetric metric, std::uint64_t amount) {
    scene.stage.add(pid, metric, amount);
    scene.tick(10);
    return scene.stage.time;
  };
  for (const ProcessMetric metric : {ProcessMetric::FaultTime, ProcessMetric::ZeroedBytes})
    for (const std::uint32_t pid : {7U, 8U}) scene.stage.process(pid, "other").values.set(metric, std::uint64_t{0});
  tick(7, ProcessMetric::FaultTime, 0);
  const MonotonicTime slow = tick(8, ProcessMetric::FaultTime, 9'000'000);
  for (int i = 0; i < 30; ++i) tick(7, ProcessMetric::FaultTime, 1000);
  const MonotonicTime cleared = tick(7, ProcessMetric::ZeroedBytes, 64 << 20U);
  scene.view.setData(*scene.stage.monitor.history().oldest(), scene.stage.time);
  const auto times = scene.marks(Panel::Time);
  REQUIRE(times.size() == 1);
  CHECK(times.front().time == slow);
  CHECK(times.front().name == QStringLiteral("proc"));
  CHECK_FALSE(times.front().flagged);
  const auto zeroed = scene.marks(Panel::Zeroing);
  REQUIRE(zeroed.size() == 1);
  CHECK(zeroed.front().time == cleared);
  CHECK(zeroed.front().name == QStringLiteral("game"));
  CHECK(scene.marks(Panel::Commit).empty());
  scene.highlights.follow(kGame);
  CHECK(scene.marks(Panel::Time).empty());
}

TEST_CASE("A peak that no process explains is called unattributed") {
  Scene scene;
  const MonotonicTime before = *scene.stage.monitor.history().oldest() - std::chrono::seconds(5);
  const std::vector<Bucket> line{{.start = before, .end = before, .min = 900, .mean = 900, .max = 900}};
  const auto marks = scene.highlights.marks(Panel::Faults, line, 0);
  const auto peak = std::ranges::find(marks, false, &SpikeMark::flagged);
  REQUIRE(peak != marks.end());
  CHECK(peak->name == QStringLiteral("unattributed"));
}

TEST_CASE("Zeroing in the background is marked on the plots of its own lines") {
  Scene scene;
  std::uint64_t ns = 0;
  std::uint64_t asked = 0;
  const auto tick = [&](std::uint64_t spent, std::uint64_t left, std::uint64_t faults) {
    scene.stage.system.set(SystemMetric::ZeroThreadTime, ns += spent);
    scene.stage.system.set(SystemMetric::ZeroedListBytes, left);
    scene.stage.system.set(SystemMetric::DemandZeroFaults, asked += faults);
    scene.tick(100);
  };
  for (int i = 0; i < 3; ++i) tick(0, 1 << 30, 0);
  for (int i = 0; i < 3; ++i) tick(0, 0, 10'000);
  for (int i = 0; i < 3; ++i) tick(400'000'000, 1 << 30, 0);
  for (int i = 0; i < 5; ++i) tick(0, 1 << 30, 0);
  scene.view.setData(*scene.stage.monitor.history().oldest(), scene.stage.time);
  const auto names = [&](Panel panel) {
    QStringList all;
    for (const SpikeMark& mark : scene.highlights.marks(panel, {}, 0)) all << mark.name;
    return all;
  };
  CHECK(names(Panel::Time) == QStringList(QStringLiteral("zeroing threads")));
  CHECK(names(Panel::Zeroing) == QStringList(QStringLiteral("zeroed list")));
  CHECK(names(Panel::Faults) == QStringList(QStringLiteral("game")));
}

}  // namespace faultline
