#include "app/tray/spike_marks.h"

#include <algorithm>

namespace faultline {
namespace {

constexpr double kHalf = 4.5;  // of a diamond's diagonal
constexpr int kGap = 5;
constexpr int kLongestName = 110;
constexpr std::size_t kMostNames = 12;

}  // namespace

void SpikeMarks::setMarks(std::vector<SpikeMark> marks) {
  m_marks = std::move(marks);
  std::ranges::stable_sort(m_marks, std::ranges::greater{}, &SpikeMark::weight);
}

QPointF SpikeMarks::place(const SpikeMark& mark) const {
  const double y = m_rect->axis(QCPAxis::atLeft)->coordToPixel(mark.value);
  return {m_rect->axis(QCPAxis::atBottom)->coordToPixel(mark.key),
          std::clamp<double>(y, m_rect->top(), m_rect->bottom())};
}

void SpikeMarks::draw(QCPPainter* painter) {
  painter->setAntialiasing(true);
  painter->setPen(QPen(m_theme.base, 1));
  painter->setBrush(m_theme.spike);
  for (const SpikeMark& mark : m_marks) {
    const QPointF at = place(mark);
    const std::array<QPointF, 4> diamond{at - QPointF(0, kHalf), at + QPointF(kHalf, 0), at + QPointF(0, kHalf),
                                         at - QPointF(kHalf, 0)};
    painter->drawConvexPolygon(diamond.data(), static_cast<int>(diamond.size()));
  }
  drawNames(painter);
}

void SpikeMarks::drawNames(QCPPainter* painter) const {
  const QFontMetrics metrics(parentPlot()->font());
  painter->setFont(parentPlot()->font());
  painter->setPen(m_theme.spike);
  std::vector<QRectF> taken;
  for (const SpikeMark& mark : m_marks)
    taken.push_back(QRectF(place(mark) - QPointF(kHalf, kHalf), QSizeF(2 * kHalf, 2 * kHalf)));
  std::size_t named = 0;
  for (const SpikeMark& mark : m_marks) {
    const QString name = metrics.elidedText(mark.name, Qt::ElideRight, kLongestName);
    const QPointF at = place(mark);
    const QRectF box(at.x() + kHalf + kGap, at.y() - metrics.height() + 1, metrics.horizontalAdvance(name),
                     metrics.height());
    const bool room = box.right() <= m_rect->right() &&
                      std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(box); });
    if (!room) continue;
    painter->drawText(box, Qt::AlignVCenter | Qt::TextDontClip, name);
    taken.push_back(box);
    if (++named == kMostNames) return;
  }
}

}  // namespace faultline
