#include "app/tray/plots/lines.h"

#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

Hello measuring(std::initializer_list<ProcessMetric> metrics) {
  Hello hello;
  for (Quality& quality : hello.process) quality = {Grade::Unavailable, "Needs a capability.", "Grant it.", 64};
  for (const ProcessMetric metric : metrics) hello.quality(metric) = {Grade::Exact, "", "", 64};
  return hello;
}

std::vector<ProcessMetric> seriesOf(Panel panel, const Hello& hello) {
  std::vector<ProcessMetric> series;
  for (const LineKind& line : wholeLines(panel, false, {}, hello)) series.push_back(line.series);
  return series;
}

}  // namespace

TEST_CASE("A plot that is not measured has the reason and the remedy, and no lines") {
  const Hello nothing = measuring({});
  for (const Panel panel : {Panel::Time, Panel::Zeroing}) {
    CHECK(whyEmpty(panel, nothing) == QStringLiteral("Needs a capability. · Grant it."));
    CHECK(seriesOf(panel, nothing).empty());
  }
  CHECK(whyEmpty(Panel::Faults, nothing).isEmpty());
  CHECK(whyEmpty(Panel::Commit, nothing).isEmpty());
}

TEST_CASE("The plot of time shows all measured times, and keeps a place for fault time") {
  using enum ProcessMetric;
  const Hello all = measuring({FaultTime, MajorFaultTime, ZeroingTime, SampledZeroingTime});
  CHECK(seriesOf(Panel::Time, all) ==
        std::vector{ProcessMetric::FaultTime, ProcessMetric::MajorFaultTime, ProcessMetric::ZeroingTime});
  const Hello estimate = measuring({ZeroingTime});
  CHECK(seriesOf(Panel::Time, estimate) == std::vector{ProcessMetric::FaultTime, ProcessMetric::ZeroingTime});
  CHECK(panelWords(Panel::Time, estimate).contains(QStringLiteral("Needs a capability. · Grant it.")));
  CHECK(seriesOf(Panel::Time, measuring({SampledZeroingTime})).empty());  // a second opinion, not a line
}

TEST_CASE("Where no process is charged for zeroing, the plots show the machine's own") {
  Hello windows = measuring({ProcessMetric::CommitBytes});
  windows.machine.pageBytes = 4096;
  CHECK_FALSE(whyEmpty(Panel::Time, windows).isEmpty());
  for (const SystemMetric metric : {SystemMetric::DemandZeroFaults, SystemMetric::ZeroThreadTime,
                                    SystemMetric::ZeroedListBytes, SystemMetric::FreeListBytes})
    windows.quality(metric) = {Grade::Exact, "", "", 64};
  const auto one = [&](Panel panel) {
    CHECK(whyEmpty(panel, windows).isEmpty());
    const auto lines = wholeLines(panel, false, {}, windows);
    REQUIRE(lines.size() == 1);
    return lines.front();
  };
  CHECK(one(Panel::Time).machine == SystemMetric::ZeroThreadTime);
  for (const SystemMetric metric : {SystemMetric::ZeroThreadCycles, SystemMetric::SystemProcessCycles})
    windows.quality(metric) = {Grade::Exact, "", "", 64};
  CHECK(one(Panel::Time).machine == SystemMetric::ZeroThreadTime);  // no time is known for cycles
  windows.quality(SystemMetric::CyclesPerSecond) = {Grade::Estimated, "", "", 64};
  const auto times = wholeLines(Panel::Time, false, {}, windows);
  REQUIRE(times.size() == 2);
  CHECK(times[0].machine == SystemMetric::ZeroThreadCycles);
  CHECK(times[0].filled);
  CHECK(times[1].machine == SystemMetric::SystemProcessCycles);
  CHECK((times[0].estimated && times[1].estimated && !times[1].filled));
  CHECK(one(Panel::Zeroing).machine == SystemMetric::DemandZeroFaults);
  CHECK(one(Panel::Zeroing).scale == 4096);
  const auto memory = wholeLines(Panel::Commit, false, {}, windows);
  REQUIRE(memory.size() == 3);
  CHECK_FALSE(memory[0].machine);
  CHECK(memory[1].machine == SystemMetric::ZeroedListBytes);
  CHECK(memory[2].machine == SystemMetric::FreeListBytes);
  CHECK(wholeLines(Panel::Commit, true, {}, windows).size() == 2);  // commit and resident of one process
}

TEST_CASE("Pinned processes of the same name are distinguished by their pid") {
  StagedMonitor stage;
  stage.process(7, "clang");
  stage.process(8, "clang");
  stage.process(9, "game\n");
  stage.tick();
  Pins pins;
  for (const std::uint32_t pid : {7U, 9U}) pins.toggle({pid, 1000 + pid});
  CHECK(pinNames(pins, stage.monitor.history()) == std::vector{QStringLiteral("clang"), QStringLiteral("game\\n")});
  pins.toggle({8, 1008});
  CHECK(pinNames(pins, stage.monitor.history()) ==
        std::vector{QStringLiteral("clang 7"), QStringLiteral("game\\n"), QStringLiteral("clang 8")});
}

TEST_CASE("Estimated lines are marked") {
  Hello hello = measuring({ProcessMetric::FaultTime, ProcessMetric::ZeroingTime});
  hello.quality(ProcessMetric::ZeroingTime).grade = Grade::Estimated;
  for (const LineKind& line : wholeLines(Panel::Time, false, {}, hello))
    CHECK(line.estimated == (line.series == ProcessMetric::ZeroingTime));
}

}  // namespace faultline
