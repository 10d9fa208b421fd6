// PlotGround: the area between a line and zero. In whole pixels and opaque, which is what a paint engine fills fastest;
// as a polygon where the picture is made of shapes, as in SVG.
#pragma once

#include <vector>

#include "app/tray/plots/items/qcp.h"

namespace faultline {

class PlotGround : public QCPAbstractItem {
 public:
  explicit PlotGround(QCPAxisRect* rect);

  // The colour is drawn as it is. A value that is not a number is a gap.
  void set(const QVector<QCPGraphData>& line, const QColor& colour);

  double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

 protected:
  void draw(QCPPainter* painter) override;

 private:
  // Per column of device pixels the row at which the area begins, `bottom` where there is none.
  [[nodiscard]] std::vector<int> tops(double ratio, int left, int bottom, std::size_t columns) const;
  void drawColumns(QCPPainter* painter, double ratio) const;
  void drawShapes(QCPPainter* painter) const;

  QCPAxisRect* m_rect;
  QVector<QCPGraphData> m_line;
  QColor m_colour;
};

}  // namespace faultline
