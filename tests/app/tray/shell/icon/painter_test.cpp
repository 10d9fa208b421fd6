#include "app/tray/shell/icon/painter.h"

#include <QPainter>
#include <QPixmap>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include "app/tray/widgets/theme.h"

using namespace faultline;
using Catch::Matchers::WithinAbs;
using std::chrono::seconds;

namespace {

constexpr QRgb kVermilion = qRgb(0xD5, 0x5E, 0x00);

Bucket bucketAt(seconds time, float rate) {
  const MonotonicTime at{time};
  return {at, at, rate, rate, rate};
}

IconState withBurst() {
  IconState state;
  state.mode = IconMode::Live;
  state.heights.fill(0.2F);
  state.heights[20] = 1.0F;
  return state;
}

int inkedPixels(const QImage& image) {
  int count = 0;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) count += qAlpha(image.pixel(x, y)) > 0;
  return count;
}

bool hasColour(const QImage& image, QRgb colour) {
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, y) == colour) return true;
  return false;
}

}  // namespace

TEST_CASE("The icon's slots have the highest rate of their two seconds and end now") {
  const auto heights =
      iconHeights({bucketAt(seconds(99), 100), bucketAt(seconds(100), 20'000), bucketAt(seconds(101), 5'000)},
                  MonotonicTime{seconds(101)});
  CHECK(heights.back() == 1.0F);
  CHECK_THAT(heights[kIconSlots - 2], WithinAbs(std::sqrt(100.0 / 20'000), 1e-6));
  CHECK(heights.front() == 0.0F);
}

TEST_CASE("A quiet machine is a low line, and a burst above the usual scale fills the icon") {
  const MonotonicTime now{seconds(101)};
  CHECK(iconHeights({bucketAt(seconds(100), 50)}, now).back() < 0.06F);
  const auto heights = iconHeights({bucketAt(seconds(90), 1'000'000), bucketAt(seconds(100), 10'000)}, now);
  CHECK(*std::max_element(heights.begin(), heights.end()) == 1.0F);
  CHECK_THAT(heights.back(), WithinAbs(0.1, 1e-6));
}

TEST_CASE("Samples older than a minute, or later than now, are not in the icon") {
  const auto heights =
      iconHeights({bucketAt(seconds(39), 9'000), bucketAt(seconds(104), 9'000)}, MonotonicTime{seconds(101)});
  CHECK(std::all_of(heights.begin(), heights.end(), [](float height) { return height == 0; }));
}

TEST_CASE("A burst of one slot is visible at every size") {
  const int size = GENERATE(16, 22, 24, 32);
  const double ratio = GENERATE(1.0, 1.5, 2.0);
  const QImage image = paintIcon(withBurst(), size, ratio);
  REQUIRE(image.width() == std::lround(size * ratio));
  bool reachesTop = false;
  for (int x = 0; x < image.width(); ++x) reachesTop = reachesTop || image.pixel(x, 0) == qRgb(0, 0, 0);
  CHECK(reachesTop);
}

TEST_CASE("The silhouette is crisp: without halo, dot and strike every pixel is ink or empty") {
  const QImage image = paintIcon(withBurst(), 22, 1);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      REQUIRE((qAlpha(image.pixel(x, y)) == 0 || qAlpha(image.pixel(x, y)) == 255));
}

TEST_CASE("Live, hollow and struck icons differ, and the hollow icon has the least ink") {
  const int size = GENERATE(16, 22, 24, 32);
  IconState state = withBurst();
  state.heights.fill(0.7F);
  const QImage live = paintIcon(state, size, 1);
  state.mode = IconMode::Hollow;
  const QImage hollow = paintIcon(state, size, 1);
  state.mode = IconMode::Struck;
  const QImage struck = paintIcon(state, size, 1);
  CHECK(inkedPixels(hollow) < inkedPixels(live) / 2);
  CHECK(struck != live);
  CHECK(inkedPixels(struck) > inkedPixels(hollow));
}

namespace {

// The icon on a panel.
QImage onPanel(const IconState& state, int size, const QColor& panel) {
  QImage image(size, size, QImage::Format_RGB32);
  image.fill(panel);
  QPainter painter(&image);
  painter.drawImage(0, 0, paintIcon(state, size, 1));
  return image;
}

// The share of pixels in which two pictures differ visibly.
double differing(const QImage& a, const QImage& b) {
  int count = 0;
  for (int y = 0; y < a.height(); ++y)
    for (int x = 0; x < a.width(); ++x) count += contrast(QColor(a.pixel(x, y)), QColor(b.pixel(x, y))) >= 3;
  return static_cast<double>(count) / (a.width() * a.height());
}

}  // namespace

TEST_CASE("Paused and live icons are distinct on dark and light panels with every ink") {
  const QColor dark(0x22, 0x22, 0x22);
  const QColor light(0xF2, 0xF2, 0xF2);
  const int size = GENERATE(16, 22, 24, 32);
  const QColor panel = GENERATE_COPY(dark, light);
  const bool darkInk = GENERATE(true, false);
  const float height = GENERATE(0.05F, 0.3F, 0.7F);
  IconState state = withBurst();
  state.heights.fill(height);
  state.ink = darkInk ? dark : light;
  state.halo = darkInk ? light : dark;
  const QImage live = onPanel(state, size, panel);
  state.mode = IconMode::Hollow;
  CHECK(differing(live, onPanel(state, size, panel)) >= 0.08);
}

TEST_CASE("Marks leave the newest 24 seconds visible") {
  const int size = GENERATE(16, 22, 24, 32);
  IconState state = withBurst();
  state.heights.fill(0.9F);
  const QImage bare = paintIcon(state, size, 1);
  state.spike = true;
  state.recording = true;
  const QImage marked = paintIcon(state, size, 1);
  const int newest = size * 24 / 60;
  const QRect right(size - newest, 0, newest, size);
  CHECK(marked.copy(right) == bare.copy(right));
  CHECK(marked != bare);
}

TEST_CASE("A recording is visible, with and without a spike") {
  const int size = GENERATE(16, 22, 32);
  IconState state = withBurst();
  const QImage bare = paintIcon(state, size, 1);
  state.recording = true;
  const QImage recording = paintIcon(state, size, 1);
  CHECK(recording != bare);
  CHECK_FALSE(hasColour(recording, kVermilion));
  state.spike = true;
  const QImage both = paintIcon(state, size, 1);
  state.recording = false;
  CHECK(both != paintIcon(state, size, 1));
}

TEST_CASE("Only spikes are vermilion") {
  IconState state = withBurst();
  CHECK_FALSE(hasColour(paintIcon(state, 22, 1), kVermilion));
  state.spike = true;
  CHECK(hasColour(paintIcon(state, 16, 1), kVermilion));
  CHECK(hasColour(paintIcon(state, 22, 2), kVermilion));
}

TEST_CASE("The icon is painted at the requested size, in device pixels") {
  const QIcon icon = makeIcon(withBurst());
  CHECK(icon.pixmap(QSize(22, 22), 1.0).toImage().size() == QSize(22, 22));
  CHECK(icon.pixmap(QSize(22, 22), 2.0).toImage().size() == QSize(44, 44));
  CHECK(icon.availableSizes().contains(QSize(16, 16)));
}
