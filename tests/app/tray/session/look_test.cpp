#include "app/tray/session/look.h"

#include <QApplication>
#include <QStyle>
#include <catch2/catch_test_macros.hpp>
#include <utility>

#include "app/tray/widgets/theme.h"

using namespace faultline;

TEST_CASE("The palettes that a user can choose are legible") {
  CHECK_FALSE(themeFor(lightPalette()).dark);
  CHECK(themeFor(darkPalette()).dark);
  for (const QPalette& palette : {lightPalette(), darkPalette()}) {
    const Theme theme = themeFor(palette);
    CHECK_FALSE(theme.highContrast);
    for (const QColor& ink :
         {theme.ink, theme.dimInk, theme.minor, theme.major, theme.commit, theme.zeroing, theme.spike})
      CHECK(contrast(ink, theme.base) >= 4.5);
    for (const auto& [ink, ground] :
         {std::pair(QPalette::ButtonText, QPalette::Button), std::pair(QPalette::WindowText, QPalette::Window),
          std::pair(QPalette::HighlightedText, QPalette::Highlight),
          std::pair(QPalette::ToolTipText, QPalette::ToolTipBase), std::pair(QPalette::Link, QPalette::Window)})
      CHECK(contrast(palette.color(ink), palette.color(ground)) >= 4.5);
  }
}

TEST_CASE("A chosen look replaces the desktop's palette, which comes back") {
  const QPalette before = QApplication::palette();
  wear(Look::Dark);
  CHECK(QApplication::palette().color(QPalette::Base) == darkPalette().color(QPalette::Base));
  wear(Look::Light);
  CHECK(QApplication::palette().color(QPalette::Base) == lightPalette().color(QPalette::Base));
  wear(Look::Desktop);
  const bool bare = before == QApplication::style()->standardPalette();  // of no desktop
  CHECK(QApplication::palette().color(QPalette::Window) == (bare ? lightPalette() : before).color(QPalette::Window));
  QApplication::setPalette(QPalette());
}
