// Theme: the few colours of Faultline, for the palette in force. Okabe-Ito hues, darkened or lightened until they
// keep 4.5:1 against every ground that they stand on, 7:1 in a high-contrast palette; vermilion is for spikes alone.
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

// The palette of a box to tick, whose outline Qt's Fusion style takes from the window's ground: too faint, mostly in
// the dark.
[[nodiscard]] QPalette boxPalette(QPalette palette);

// The ground below a line of that colour.
[[nodiscard]] QColor fillBelow(const QColor& line, const QColor& base);

// `share` of b in a.
[[nodiscard]] QColor mixed(const QColor& a, const QColor& b, double share);

// WCAG 2 contrast ratio, 1 to 21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

}  // namespace faultline
