// BarPainter draws a BarLayout: axes, bars, deadline, diamonds and the words beside them.
#pragma once

#include <QPainter>

#include "app/tray/frames/bars/layout.h"
#include "app/tray/widgets/theme.h"

namespace faultline {

class BarPainter {
 public:
  BarPainter(QPainter& painter, const BarLayout& layout, const Theme& theme)
      : m_painter(painter), m_layout(layout), m_theme(theme) {}

  void drawAxes();
  void drawTimes(const TimeView& view, MonotonicTime zero);
  void drawBars();
  void drawDeadline(const FrameDeadline& deadline);
  void drawDiamonds();
  void drawBand(const GameFrame& frame, bool selected);  // through both rows, as wide as the frame
  void drawEmpty(const QString& words);
  void drawReadout(const QString& words, const QColor& ink);  // above the bars

 private:
  QPainter& m_painter;
  const BarLayout& m_layout;
  const Theme& m_theme;
};

}  // namespace faultline
