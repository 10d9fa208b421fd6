#include "app/tray/widgets/theme.h"

#include <catch2/catch_test_macros.hpp>
#include <utility>

using namespace faultline;

namespace {

QPalette paletteOn(const QColor& base, const QColor& window, const QColor& text) {
  QPalette palette;
  palette.setColor(QPalette::Base, base);
  palette.setColor(QPalette::Window, window);
  palette.setColor(QPalette::Text, text);
  palette.setColor(QPalette::WindowText, text);
  palette.setColor(QPalette::Highlight, QColor(0x30, 0x8c, 0xc6));
  return palette;
}

const QPalette& light() {
  static const QPalette kLight = paletteOn(Qt::white, QColor(0xef, 0xef, 0xef), Qt::black);
  return kLight;
}
const QPalette& dark() {
  static const QPalette kDark = paletteOn(QColor(0x1b, 0x1e, 0x20), QColor(0x2a, 0x2e, 0x32), QColor(0xfc, 0xfc, 0xfc));
  return kDark;
}

// Every colour of text, with every ground behind it.
void checkLegible(const QPalette& palette, double least) {
  const Theme theme = themeFor(palette);
  const QColor window = palette.color(QPalette::Window);
  for (const QColor& c : {theme.ink, theme.dimInk, theme.minor, theme.major, theme.commit, theme.zeroing, theme.spike})
    CHECK(contrast(c, theme.base) >= least);
  for (const QColor& c : theme.pins) CHECK(contrast(c, theme.base) >= least);
  for (const QColor& c : {theme.ink, theme.dimInk, theme.spike})
    for (const QColor& ground : {window, theme.selected}) CHECK(contrast(c, ground) >= least);
  for (const QColor& c : {theme.dimInk, theme.spike})  // of names beside peaks
    for (const QColor& ground : {theme.fill, fillBelow(theme.zeroing, theme.base)}) CHECK(contrast(c, ground) >= least);
}

}  // namespace

TEST_CASE("Every colour is legible on every ground, light and dark") {
  CHECK_FALSE(themeFor(light()).dark);
  checkLegible(light(), 4.5);
  CHECK(themeFor(dark()).dark);
  checkLegible(dark(), 4.5);
  for (const QRgb highlight : {0xFF000000, 0xFFFFFFFF, 0xFF0000FF, 0xFFFFFF00, 0xFF3DAEE9}) {
    QPalette palette = light();
    palette.setColor(QPalette::Highlight, QColor(highlight));
    checkLegible(palette, 4.5);
    palette = dark();
    palette.setColor(QPalette::Highlight, QColor(highlight));
    checkLegible(palette, 4.5);
  }
}

TEST_CASE("A selected row is distinct from the others") {
  for (const QPalette& palette : {light(), dark()})
    CHECK(contrast(themeFor(palette).selected, themeFor(palette).base) > 1.15);
}

TEST_CASE("A high-contrast palette has a contrast of 7 to 1, and nothing dim") {
  for (const auto& [ground, ink] :
       {std::pair<QColor, QColor>(Qt::white, Qt::black), std::pair<QColor, QColor>(Qt::black, Qt::white),
        std::pair<QColor, QColor>(Qt::black, Qt::yellow), std::pair<QColor, QColor>(0xFF202020, Qt::white)}) {
    const QPalette palette = paletteOn(ground, ground, ink);
    CHECK(themeFor(palette).highContrast);
    CHECK(themeFor(palette).dimInk == QColor(ink));
    checkLegible(palette, 7);
  }
  CHECK_FALSE(themeFor(light()).highContrast);
  CHECK_FALSE(themeFor(dark()).highContrast);
  const QColor grey(0x2b, 0x2b, 0x2b);
  CHECK_FALSE(themeFor(paletteOn(grey, grey, QColor(0xee, 0xee, 0xee))).highContrast);
}

TEST_CASE("Contrast follows WCAG 2") {
  CHECK(contrast(Qt::black, Qt::white) > 20.99);
  CHECK(contrast(Qt::white, Qt::white) == 1.0);
}

TEST_CASE("A check box has the ground of its window, whatever the system's palette of check boxes says") {
  QPalette accented;
  accented.setColor(QPalette::Base, Qt::blue);
  accented.setColor(QPalette::Button, Qt::blue);
  const QPalette box = boxPalette(QPalette()).resolve(accented);
  CHECK(box.color(QPalette::Base) == QPalette().color(QPalette::Base));
  CHECK(box.color(QPalette::Button) == QPalette().color(QPalette::Button));
}
