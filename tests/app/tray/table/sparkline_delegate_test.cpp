#include "app/tray/table/sparkline_delegate.h"

#include <QImage>
#include <QPainter>
#include <catch2/catch_test_macros.hpp>

#include "app/tray/processes/model.h"
#include "tests/app/tray/staged_monitor.h"

namespace faultline {
namespace {

constexpr int kHeight = 24;

int pixelsOf(const QImage& image, const QColor& colour) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) == colour.rgb()) ++count;
  return count;
}

int highestOf(const QImage& image, const QColor& colour) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) == colour.rgb()) return image.height() - y;
  return 0;
}

struct SparklineFixture {
  SparklineFixture() {
    delegate.setTheme(theme);
    stage.process(7);
    for (int i = 0; i < 80; ++i) stage.tick();
  }

  QImage painted(int width, double ratio = 1) {
    model.refresh();
    delegate.setTime(stage.time);
    QImage image(QSize(width, kHeight) * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.base);
    QPainter painter(&image);
    QStyleOptionViewItem option;
    option.rect = QRect(0, 0, width, kHeight);
    delegate.paint(&painter, option, model.index(0, columnIndex(Column::LastMinute)));
    return image;
  }

  StagedMonitor stage;
  Pins pins;
  ProcessModel model{stage.monitor, pins};
  SparklineDelegate delegate{stage.monitor, nullptr};
  Theme theme = themeFor(QPalette(Qt::white));
};

}  // namespace

TEST_CASE("An idle minute is an empty sparkline") {
  SparklineFixture f;
  CHECK(pixelsOf(f.painted(120), f.theme.base) == 120 * kHeight);
}

TEST_CASE("A burst of one sample reaches the top of the sparkline at any width for a minute") {
  SparklineFixture f;
  f.stage.add(7, ProcessMetric::MinorFaults, 1200);
  f.stage.tick();
  for (int age = 0; age < 110; ++age) {
    const int width = 20 + age * 3;
    CHECK(highestOf(f.painted(width, age % 2 == 0 ? 1 : 2), f.theme.minor) > kHeight / 2);
    f.stage.tick();
  }
  for (int i = 0; i < 15; ++i) f.stage.tick();
  CHECK(pixelsOf(f.painted(120), f.theme.minor) == 0);
}

TEST_CASE("A low rate stays low in the sparkline") {
  SparklineFixture f;
  for (int i = 0; i < 20; ++i) {
    f.stage.add(7, ProcessMetric::MinorFaults, 5);
    f.stage.tick();
  }
  const int height = highestOf(f.painted(120), f.theme.minor);
  CHECK(height > 0);
  CHECK(height < kHeight / 2);
}

TEST_CASE("Spikes are vermilion dots, and a pinned process has its own colour") {
  SparklineFixture f;
  f.stage.add(7, ProcessMetric::MinorFaults, 100'000);
  f.stage.tick();
  for (int i = 0; i < 20; ++i) f.stage.tick();
  REQUIRE(f.stage.monitor.spikes().size() == 1);
  CHECK(pixelsOf(f.painted(120), f.theme.spike) > 5);
  for (int i = 0; i < 80; ++i) f.stage.tick();
  f.stage.add(7, ProcessMetric::MinorFaults, 100'000);  // within a minute of the first, which is a habit
  for (int i = 0; i < 40; ++i) f.stage.tick();
  REQUIRE(f.stage.monitor.spikes().size() == 2);
  CHECK(pixelsOf(f.painted(120), f.theme.spike) == 0);
  f.pins.toggle({7, 1007});
  const QImage pinned = f.painted(120);
  CHECK(pixelsOf(pinned, f.theme.pins[0]) > 0);
  CHECK(pixelsOf(pinned, f.theme.minor) == 0);
}

}  // namespace faultline
