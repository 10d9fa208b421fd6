#include "app/tray/plots/export.h"

#include <QFile>
#include <QTemporaryDir>
#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

Snapshot snapshotAt(std::uint64_t second) {
  Snapshot s;
  s.time.sinceEpoch = std::chrono::seconds(1000 + second);
  s.wallTime.sinceEpoch = std::chrono::hours(24 * 365 * 50) + std::chrono::seconds(second);
  ProcessSample process{{7, 3}, "game", {}};
  process.values.set(ProcessMetric::MinorFaults, second * second * 100);
  process.values.set(ProcessMetric::CommitBytes, 1U << 30U);
  s.processes.push_back(process);
  return s;
}

struct Stage {
  Stage() {
    Hello hello;
    hello.machine.system = "Test <OS>";
    hello.machine.processor = "A processor";
    hello.interval = std::chrono::seconds(1);
    for (Quality& q : hello.process) q.grade = Grade::Exact;
    monitor.ingest(hello);
    for (std::uint64_t second = 0; second < 30; ++second) monitor.ingest(snapshotAt(second));
    view.setData(*monitor.history().oldest(), *monitor.history().newest());
    plots.resize(600, 320);
    plots.refresh();
    plots.rebuildNow();
  }

  Monitor monitor;
  Pins pins;
  TimeView view;
  PlotStack plots{monitor, pins, view};
};

// Number of pixels that differ from the picture's corner.
int inked(const QImage& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += image.pixel(x, y) != image.pixel(0, 0) ? 1 : 0;
  return count;
}

}  // namespace

TEST_CASE("A saved picture has the plots below a title and the machine") {
  Stage stage;
  const QTemporaryDir folder;
  const QString file = folder.filePath(QStringLiteral("plots.png"));
  REQUIRE(savePlots(stage.plots, describe(stage.monitor, stage.view), file));
  const QImage image(file);
  CHECK(image.width() == 1200);
  CHECK(image.height() > 640);
  const QImage header = image.copy(0, 0, image.width(), image.height() - 640);
  CHECK(inked(header) > 500);
  CHECK(inked(image) > inked(header) + 5000);
}

TEST_CASE("A drawing is SVG that contains its text") {
#ifndef QT_SVG_LIB
  SKIP("this Qt has no Qt Svg");
#endif
  Stage stage;
  const QTemporaryDir folder;
  const QString name = folder.filePath(QStringLiteral("plots.SVG"));
  REQUIRE(savePlots(stage.plots, describe(stage.monitor, stage.view), name));
  QFile file(name);
  REQUIRE(file.open(QIODevice::ReadOnly));
  const QByteArray svg = file.readAll();
  CHECK(svg.startsWith("<?xml"));
  CHECK(svg.contains("<svg"));
  CHECK(svg.contains("A processor, Test &lt;OS&gt;"));
  CHECK(svg.count("<p") > 10);
}

TEST_CASE("A picture that cannot be saved gives an error and leaves no file") {
  Stage stage;
  const QString file = QStringLiteral("/nonexistent/plots.png");
  const Result<void> saved = savePlots(stage.plots, describe(stage.monitor, stage.view), file);
  REQUIRE_FALSE(saved);
  CHECK(saved.error().message.find("/nonexistent/plots.png") != std::string::npos);
  CHECK_FALSE(QFile::exists(file));
}
