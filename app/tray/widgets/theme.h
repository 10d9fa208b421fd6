// Theme: Faultline's colours for the present palette: Okabe-Ito hues, darkened or lightened to a contrast of at least
// 4.5:1 with every ground behind them, 7:1 in a high-contrast palette. Vermilion is only for spikes.
#pragma once

#include <QColor>
#include <QPalette>
#include <array>

namespace faultline {

struct Theme {
  bool dark = false;
  bool highContrast = false;
  QColor base;      // ground of plots and tables
  QColor selected;  // ground of a selected row
  QColor fill;      // ground below the line of minor faults
  QColor ink;       // text
  QColor dimInk;    // zeros, units, what is not available
  QColor grid;
  QColor minor;                // blue
  QColor major;                // orange
  QColor commit;               // bluish green
  QColor zeroing;              // reddish purple
  QColor spike;                // vermilion
  std::array<QColor, 8> pins;  // one per pinned process, in the order of pinning, then again from the first
};

[[nodiscard]] Theme themeFor(const QPalette& palette);

// The palette of a check box. Qt's Fusion style derives its outline from the window's ground: too faint, mostly in dark
// palettes. Qt's dark palette of Windows fills all boxes with the accent, checked or not: this one says their colours.
[[nodiscard]] QPalette boxPalette(QPalette palette);
// The palette of a line of input: a legible placeholder, and a frame that is seen, which Fusion derives alike.
[[nodiscard]] QPalette inputPalette(QPalette palette);

// The colour of the area below a line.
[[nodiscard]] QColor fillBelow(const QColor& line, const QColor& base);

// `share` of b in a.
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double share);

// WCAG 2 contrast ratio, 1 to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

}  // namespace faultline
