// Drawn in whole opaque pixels, which is fastest, and as shapes in vector pictures such as SVG. PlotGround: the area
// between a line and zero. GridLines: a line at each tick of the left axis.
#pragma once

#include <vector>

#include "app/tray/plots/items/qcp.h"

namespace faultline {

class PlotGround : public QCPAbstractItem {
 public:
  explicit PlotGround(QCPAxisRect* rect);

  // `colour` is not blended. A NaN is a gap.
  void set(const QVector<QCPGraphData>& line, const QColor& colour);

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  // For each column of device pixels, the row where the area begins; `bottom` if there is no area.
  [[nodiscard]] std::vector<int> tops(double ratio, int left, int bottom, std::size_t columns) const;
  void drawColumns(QCPPainter* painter, double ratio) const;
  void drawShapes(QCPPainter* painter) const;

  QCPAxisRect* m_rect;
  QVector<QCPGraphData> m_line;
  QColor m_colour;
};

class GridLines : public QCPAbstractItem {
 public:
  explicit GridLines(QCPAxisRect* rect);

  void setColour(const QColor& colour) { m_colour = colour; }

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  QCPAxisRect* m_rect;
  QColor m_colour;
};

}  // namespace faultline
