#include "app/tray/icon_painter.h"

#include <QPixmap>
#include <algorithm>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

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

TEST_CASE("the icon's slots hold the highest rate of their two seconds and end now") {
  const auto heights =
      iconHeights({bucketAt(seconds(99), 100), bucketAt(seconds(100), 20'000), bucketAt(seconds(101), 5'000)},
                  MonotonicTime{seconds(101)});
  CHECK(heights.back() == 1.0F);
  CHECK_THAT(heights[kIconSlots - 2], WithinAbs(std::sqrt(100.0 / 20'000), 1e-6));
  CHECK(heights.front() == 0.0F);
}

TEST_CASE("a quiet machine is a low line, and a burst above the usual scale fills the icon") {
  const MonotonicTime now{seconds(101)};
  CHECK(iconHeights({bucketAt(seconds(100), 50)}, now).back() < 0.06F);
  const auto heights = iconHeights({bucketAt(seconds(90), 1'000'000), bucketAt(seconds(100), 10'000)}, now);
  CHECK(*std::max_element(heights.begin(), heights.end()) == 1.0F);
  CHECK_THAT(heights.back(), WithinAbs(0.1, 1e-6));
}

TEST_CASE("what is older than a minute, or later than now, is not in the icon") {
  const auto heights =
      iconHeights({bucketAt(seconds(39), 9'000), bucketAt(seconds(104), 9'000)}, MonotonicTime{seconds(101)});
  CHECK(std::all_of(heights.begin(), heights.end(), [](float height) { return height == 0; }));
}

TEST_CASE("a burst of one slot is seen at every size") {
  const int size = GENERATE(16, 22, 24, 32);
  const double ratio = GENERATE(1.0, 1.5, 2.0);
  const QImage image = paintIcon(withBurst(), size, ratio);
  REQUIRE(image.width() == std::lround(size * ratio));
  bool reachesTop = false;
  for (int x = 0; x < image.width(); ++x) reachesTop = reachesTop || image.pixel(x, 0) == qRgb(0, 0, 0);
  CHECK(reachesTop);
}

TEST_CASE("the silhouette is crisp: without halo, dot and strike there is ink or nothing") {
  const QImage image = paintIcon(withBurst(), 22, 1);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      REQUIRE((qAlpha(image.pixel(x, y)) == 0 || qAlpha(image.pixel(x, y)) == 255));
}

TEST_CASE("live, hollow and struck differ, and hollow has the least ink") {
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

TEST_CASE("only a spike brings vermilion") {
  IconState state = withBurst();
  CHECK_FALSE(hasColour(paintIcon(state, 22, 1), kVermilion));
  state.spike = true;
  CHECK(hasColour(paintIcon(state, 16, 1), kVermilion));
  CHECK(hasColour(paintIcon(state, 22, 2), kVermilion));
}

TEST_CASE("the icon paints itself at the size asked, in device pixels") {
  const QIcon icon = makeIcon(withBurst());
  CHECK(icon.pixmap(QSize(22, 22), 1.0).toImage().size() == QSize(22, 22));
  CHECK(icon.pixmap(QSize(22, 22), 2.0).toImage().size() == QSize(44, 44));
  CHECK(icon.availableSizes().contains(QSize(16, 16)));
}
