#include "app/tray/shell/figures_strip.h"

#include <QFontDatabase>
#include <catch2/catch_test_macros.hpp>

#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

QLabel& figure(const FiguresStrip& strip, const char* caption) {
  for (QLabel* label : strip.findChildren<QLabel*>())
    if (label->accessibleName() == QString::fromUtf8(caption)) return *label;
  FAIL("no figure " << caption);
  throw 0;
}

}  // namespace

TEST_CASE("The figures are sums over all processes, and unavailable figures have a reason") {
  StagedMonitor stage;
  FiguresStrip strip(stage.monitor);
  for (const std::uint32_t pid : {7U, 8U}) stage.process(pid).values.set(ProcessMetric::FaultTime, std::uint64_t{0});
  stage.tick();
  stage.add(7, ProcessMetric::MinorFaults, 4000);
  stage.add(8, ProcessMetric::MinorFaults, 2000);
  stage.add(7, ProcessMetric::FaultTime, 15'000'000);
  stage.add(8, ProcessMetric::FaultTime, 5'000'000);
  stage.tick();
  strip.refresh(0.004);
  CHECK(figure(strip, "minor faults/s").text() == QStringLiteral("12.0 k"));
  CHECK(figure(strip, "in page faults/s").text() == QStringLiteral("40.0 ms"));
  CHECK(figure(strip, "in page faults/s").toolTip().contains(QStringLiteral("4 % of one core")));
  CHECK(figure(strip, "zeroed/s").text() == QStringLiteral("–"));
  CHECK(figure(strip, "zeroed/s").toolTip().contains(QStringLiteral("Needs a capability.\nGrant it.")));
  CHECK(figure(strip, "Faultline's own CPU").text() == QStringLiteral("0.4 %"));
}

TEST_CASE("Where no process is charged for zeroing, the figures are the machine's own") {
  Hello windows;
  windows.interval = std::chrono::seconds(1);
  windows.machine.pageBytes = 4096;
  for (const SystemMetric metric : {SystemMetric::DemandZeroFaults, SystemMetric::ZeroThreadTime})
    windows.quality(metric) = exact("test");
  Monitor monitor;
  monitor.ingest(windows);
  FiguresStrip strip(monitor);
  Snapshot snapshot;
  for (std::uint64_t i = 1; i <= 2; ++i) {
    snapshot.time = {std::chrono::seconds(i)};
    snapshot.system.set(SystemMetric::DemandZeroFaults, i * 25'600);
    snapshot.system.set(SystemMetric::ZeroThreadTime, i * 812'500'000);
    snapshot.system.set(SystemMetric::ZeroedListBytes, 0);
    monitor.ingest(snapshot);
  }
  strip.refresh(std::nullopt);
  CHECK(figure(strip, "zeroing threads/s").text() == QStringLiteral("812 ms"));
  CHECK(figure(strip, "asked for zeroed/s").text() == QStringLiteral("100 MiB"));
  CHECK(figure(strip, "asked for zeroed/s").toolTip().contains(QStringLiteral("No zeroed page is left")));
}

TEST_CASE("In a window of 960 pixels all captions are whole") {
  if (QFontDatabase::families().isEmpty()) SKIP("there are no fonts, and all letters are as wide as high");
  StagedMonitor stage;
  for (const bool unattributed : {false, true}) {
    stage.process(7).values.set(ProcessMetric::ChildMinorFaults, std::uint64_t{0});
    if (!unattributed) stage.process(7).values.clear(ProcessMetric::ChildMinorFaults);
    stage.tick();
    stage.tick();
    FiguresStrip strip(stage.monitor);
    strip.resize(960, strip.sizeHint().height());
    strip.setVisible(true);
    for (const QLabel* label : strip.findChildren<QLabel*>()) {
      if (!label->isVisible() || !label->accessibleName().isEmpty()) continue;  // a figure
      CAPTURE(label->text().toStdString(), unattributed);
      CHECK(label->width() >= label->fontMetrics().horizontalAdvance(label->text()));
    }
  }
}

TEST_CASE("Fault time that is not measured now is a dash that says when measuring resumes") {
  StagedMonitor stage;
  FiguresStrip strip(stage.monitor);
  stage.process(7);
  stage.tick();
  stage.tick();
  strip.refresh(std::nullopt);
  CHECK(figure(strip, "in page faults/s").text() == QStringLiteral("–"));
  CHECK(figure(strip, "in page faults/s").toolTip().contains(QStringLiteral("while a window shows them")));
}

TEST_CASE("Unattributed faults are shown only if processes may end unseen") {
  StagedMonitor stage;
  FiguresStrip strip(stage.monitor);
  strip.setVisible(true);
  stage.process(7);
  stage.system.set(SystemMetric::Faults, std::uint64_t{0});
  stage.tick();
  stage.system.set(SystemMetric::Faults, std::uint64_t{5000});
  stage.add(7, ProcessMetric::MinorFaults, 1000);
  stage.tick();
  strip.refresh(std::nullopt);
  CHECK_FALSE(figure(strip, "unattributed/s").isVisible());
  stage.process(7).values.set(ProcessMetric::ChildMinorFaults, std::uint64_t{0});
  stage.tick();
  stage.system.set(SystemMetric::Faults, std::uint64_t{9000});
  stage.add(7, ProcessMetric::MinorFaults, 1000);
  stage.tick();
  strip.refresh(std::nullopt);
  CHECK(figure(strip, "unattributed/s").isVisible());
  CHECK(figure(strip, "unattributed/s").text() == QStringLiteral("6.00 k"));
}

}  // namespace faultline
