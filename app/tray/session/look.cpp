#include "app/tray/session/look.h"

#include <QApplication>
#include <QStyle>

#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

struct Colours {
  QRgb window;
  QRgb base;
  QRgb alternate;
  QRgb button;
  QRgb ink;
  QRgb dimInk;
  QRgb highlight;
  QRgb highlighted;
  QRgb link;
  QRgb tip;
};
constexpr Colours kLight{.window = 0xFFF5F6F8,
                         .base = 0xFFFFFFFF,
                         .alternate = 0xFFF3F4F7,
                         .button = 0xFFFBFBFC,
                         .ink = 0xFF1B1E24,
                         .dimInk = 0xFF8A9099,
                         .highlight = 0xFF2C6BC9,
                         .highlighted = 0xFFFFFFFF,
                         .link = 0xFF1F5FBF,
                         .tip = 0xFFFFFFFF};
constexpr Colours kDark{.window = 0xFF1F2126,
                        .base = 0xFF16181C,
                        .alternate = 0xFF1C1E23,
                        .button = 0xFF2B2E35,
                        .ink = 0xFFE6E8EC,
                        .dimInk = 0xFF777D87,
                        .highlight = 0xFF2F6FD0,
                        .highlighted = 0xFFFFFFFF,
                        .link = 0xFF7FB0FF,
                        .tip = 0xFF2B2E35};

QPalette paletteOf(const Colours& c) {
  QPalette palette(QColor(c.button), QColor(c.window));  // derives the edges of buttons and frames
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText}) {
    palette.setColor(role, c.ink);
    palette.setColor(QPalette::Disabled, role, c.dimInk);
  }
  palette.setColor(QPalette::Base, c.base);
  palette.setColor(QPalette::AlternateBase, c.alternate);
  palette.setColor(QPalette::ToolTipBase, c.tip);
  palette.setColor(QPalette::PlaceholderText, c.dimInk);
  palette.setColor(QPalette::Highlight, c.highlight);
  palette.setColor(QPalette::HighlightedText, c.highlighted);
  palette.setColor(QPalette::Disabled, QPalette::Highlight, c.dimInk);
  palette.setColor(QPalette::Link, c.link);
  palette.setColor(QPalette::LinkVisited, c.link);
  return palette;
}

// Fusion's own grey: no desktop has said its colours.
bool isBare(const QPalette& palette) {
  return QApplication::style()->name() == QLatin1StringView("fusion") &&
         palette == QApplication::style()->standardPalette();
}

}  // namespace

QPalette lightPalette() {
  return paletteOf(kLight);
}

QPalette darkPalette() {
  return paletteOf(kDark);
}

void wear(Look look) {
  if (look == Look::Desktop) {
    QApplication::setPalette(QPalette());
    const QPalette desktop = QApplication::palette();
    if (!isBare(desktop)) return;
    look = themeFor(desktop).dark ? Look::Dark : Look::Light;
  }
  QApplication::setPalette(look == Look::Dark ? darkPalette() : lightPalette());
}

}  // namespace faultline
