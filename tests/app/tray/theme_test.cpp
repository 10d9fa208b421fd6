#include "app/tray/theme.h"

#include <catch2/catch_test_macros.hpp>

using namespace faultline;

namespace {

QPalette paletteOn(const QColor& base, const QColor& text) {
  QPalette palette;
  palette.setColor(QPalette::Base, base);
  palette.setColor(QPalette::Text, text);
  return palette;
}

void checkLegible(const Theme& theme) {
  for (const QColor& c : {theme.ink, theme.dimInk, theme.minor, theme.major, theme.commit, theme.zeroing, theme.spike})
    CHECK(contrast(c, theme.base) >= 4.5);
  for (const QColor& c : theme.pins) CHECK(contrast(c, theme.base) >= 4.5);
}

}  // namespace

TEST_CASE("Every colour can be read on light and on dark ground") {
  const Theme light = themeFor(paletteOn(Qt::white, Qt::black));
  CHECK_FALSE(light.dark);
  checkLegible(light);
  const Theme dark = themeFor(paletteOn(QColor(0x1b, 0x1e, 0x20), QColor(0xfc, 0xfc, 0xfc)));
  CHECK(dark.dark);
  checkLegible(dark);
}

TEST_CASE("Contrast is that of WCAG 2") {
  CHECK(contrast(Qt::black, Qt::white) > 20.99);
  CHECK(contrast(Qt::white, Qt::white) == 1.0);
}
