#include "app/tray/plots/items/ground.h"

#include <QVarLengthArray>
#include <algorithm>
#include <cmath>

namespace faultline {

PlotGround::PlotGround(QCPAxisRect* rect) : QCPAbstractItem(rect->parentPlot()), m_rect(rect) {
  setClipAxisRect(rect);
}

void PlotGround::set(const QVector<QCPGraphData>& line, const QColor& colour) {
  m_line = line;
  m_colour = colour;
}

void PlotGround::draw(QCPPainter* painter) {
  painter->setPen(Qt::NoPen);
  painter->setBrush(m_colour);
  if (painter->modes().testFlag(QCPPainter::pmVectorized)) return drawShapes(painter);
  painter->setAntialiasing(false);
  drawColumns(painter, painter->device()->devicePixelRatioF());
}

void PlotGround::drawShapes(QCPPainter* painter) const {
  const QCPAxis* x = m_rect->axis(QCPAxis::atBottom);
  const QCPAxis* y = m_rect->axis(QCPAxis::atLeft);
  const double floor = y->coordToPixel(0);
  QPolygonF shape;
  const auto close = [&] {
    if (shape.size() > 1)
      painter->drawPolygon(QPolygonF{QPointF(shape.first().x(), floor)} + shape +
                           QPolygonF{QPointF(shape.last().x(), floor)});
    shape.clear();
  };
  for (const QCPGraphData& point : m_line)
    if (std::isnan(point.value)) close();
    else shape << QPointF(x->coordToPixel(point.key), y->coordToPixel(point.value));
  close();
}

std::vector<int> PlotGround::tops(double ratio, int left, int bottom, std::size_t columns) const {
  const QCPAxis* xAxis = m_rect->axis(QCPAxis::atBottom);
  const QCPAxis* yAxis = m_rect->axis(QCPAxis::atLeft);
  std::vector<int> tops(columns, bottom);
  for (qsizetype i = 1; i < m_line.size(); ++i) {
    if (std::isnan(m_line[i - 1].value) || std::isnan(m_line[i].value)) continue;
    const double x0 = xAxis->coordToPixel(m_line[i - 1].key) * ratio - left;
    const double x1 = xAxis->coordToPixel(m_line[i].key) * ratio - left;
    const double y0 = yAxis->coordToPixel(m_line[i - 1].value) * ratio;
    const double y1 = yAxis->coordToPixel(m_line[i].value) * ratio;
    const double slope = x1 > x0 ? (y1 - y0) / (x1 - x0) : 0;
    const auto end = static_cast<int>(std::clamp(std::ceil(x1 - 0.5), 0.0, static_cast<double>(columns)));
    for (int c = std::max(0, static_cast<int>(std::ceil(x0 - 0.5))); c < end; ++c) {
      int& top = tops[static_cast<std::size_t>(c)];
      top = std::min(top, static_cast<int>(std::lround(y0 + (c + 0.5 - x0) * slope)));
    }
  }
  return tops;
}

// Draws the area below the whole line as one wide rectangle, and only the rest column by column.
void PlotGround::drawColumns(QCPPainter* painter, double ratio) const {
  const int left = qRound(m_rect->left() * ratio);
  const int bottom = qRound(m_rect->axis(QCPAxis::atLeft)->coordToPixel(0) * ratio);
  const auto columns = static_cast<std::size_t>(std::max(1, qRound(m_rect->width() * ratio)));
  const std::vector<int> tops = this->tops(ratio, left, bottom, columns);
  const auto covered = [&](int top) { return top < bottom; };
  const auto first = std::ranges::find_if(tops, covered);
  const auto last = std::find_if(tops.rbegin(), tops.rend(), covered).base();
  if (first >= last) return;
  const int common = *std::max_element(first, last);
  const auto xOf = [&](auto column) { return left + static_cast<int>(column - tops.begin()); };
  QVarLengthArray<QRect, 512> areas;
  if (common < bottom) areas.append(QRect(QPoint(xOf(first), common), QPoint(xOf(last) - 1, bottom - 1)));
  for (auto begin = first; begin != last;) {
    const auto end = std::find_if(begin, last, [&](int top) { return top != *begin; });
    if (*begin < common) areas.append(QRect(QPoint(xOf(begin), *begin), QPoint(xOf(end) - 1, common - 1)));
    begin = end;
  }
  painter->save();
  painter->scale(1 / ratio, 1 / ratio);
  painter->drawRects(areas.constData(), static_cast<int>(areas.size()));
  painter->restore();
}

GridLines::GridLines(QCPAxisRect* rect) : QCPAbstractItem(rect->parentPlot()), m_rect(rect) {
  setClipToAxisRect(false);  // the lowest line lies on its edge
}

void GridLines::draw(QCPPainter* painter) {
  const QCPAxis* const y = m_rect->axis(QCPAxis::atLeft);
  const bool shapes = painter->modes().testFlag(QCPPainter::pmVectorized);
  const double ratio = painter->device()->devicePixelRatioF();
  painter->setPen(QPen(m_colour, 0));
  for (const double tick : y->tickVector()) {
    const double at = y->coordToPixel(tick);
    if (shapes) painter->drawLine(QLineF(m_rect->left(), at, m_rect->right(), at));
    else
      painter->fillRect(QRectF(m_rect->left(), std::floor(at * ratio) / ratio, m_rect->width(), 1 / ratio), m_colour);
  }
}

}  // namespace faultline
