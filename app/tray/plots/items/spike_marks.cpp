#include "app/tray/plots/items/spike_marks.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace faultline {
namespace {

constexpr double kHalfDiamond = 4.5;  // half of a diamond's diagonal
constexpr double kSmallHalf = 3;
constexpr double kApart = 11;  // between two diamonds; of a crowd only the heaviest is drawn
constexpr int kLabelGap = 5;
constexpr int kLongestName = 110;
constexpr std::size_t kMostNames = 12;

}  // namespace

// Beside it, on the other side where the first is taken, above, or below.
std::optional<QRectF> placeOfName(const QPointF& mark, const QSizeF& size, const QRectF& plot,
                                  const std::vector<QRectF>& taken) {
  const double top = mark.y() - size.height() + 1;
  const std::array<QPointF, 4> places{QPointF(mark.x() + kHalfDiamond + kLabelGap, top),
                                      QPointF(mark.x() - kHalfDiamond - kLabelGap - size.width(), top),
                                      QPointF(mark.x() - size.width() / 2, top - kHalfDiamond - kLabelGap),
                                      QPointF(mark.x() + kHalfDiamond + kLabelGap, top + size.height())};
  for (const QPointF& place : places) {
    QRectF box(place, size);
    const double lowest = std::max(plot.top(), plot.bottom() - size.height());
    box.moveTop(std::clamp(box.top(), plot.top(), lowest));  // above are the legend's words, below those of the next
    const QRectF apart = box.adjusted(1 - kLabelGap, 0, kLabelGap - 1, 0);
    const bool free = std::ranges::none_of(taken, [&](const QRectF& other) { return other.intersects(apart); });
    if (box.left() >= plot.left() && box.right() <= plot.right() && free) return box;
  }
  return std::nullopt;
}

void SpikeMarks::setMarks(std::vector<SpikeMark> marks) {
  m_marks = std::move(marks);
  std::ranges::stable_sort(m_marks, std::ranges::greater{}, &SpikeMark::weight);
}

QPointF SpikeMarks::place(const SpikeMark& mark) const {
  const double y = m_rect->axis(QCPAxis::atLeft)->coordToPixel(mark.value);
  return {m_rect->axis(QCPAxis::atBottom)->coordToPixel(mark.key),
          std::clamp<double>(y, m_rect->top(), m_rect->bottom())};
}

std::vector<SpikeMarks::Placed> SpikeMarks::placed() const {
  std::vector<Placed> out;
  for (const SpikeMark& mark : m_marks) {
    const QPointF at = place(mark);
    const auto near = [&](const Placed& other) { return std::abs(other.at.x() - at.x()) < kApart; };
    const auto other = std::ranges::find_if(out, near);
    if (other == out.end()) out.push_back({&mark, at, mark.name});
    else if (other->name.isEmpty()) other->name = mark.name;
  }
  return out;
}

void SpikeMarks::draw(QCPPainter* painter) {
  const std::vector<Placed> marks = placed();
  painter->setAntialiasing(true);
  for (const Placed& mark : marks) {
    if (!mark.mark->flagged) continue;
    const double half = mark.mark->again ? kSmallHalf : kHalfDiamond;
    painter->setPen(QPen(mark.mark->again ? m_theme.spike : m_theme.base, 1));
    painter->setBrush(mark.mark->again ? m_theme.base : m_theme.spike);
    const std::array<QPointF, 4> diamond{mark.at - QPointF(0, half), mark.at + QPointF(half, 0),
                                         mark.at + QPointF(0, half), mark.at - QPointF(half, 0)};
    painter->drawConvexPolygon(diamond.data(), static_cast<int>(diamond.size()));
  }
  drawNames(painter, marks);
}

void SpikeMarks::drawNames(QCPPainter* painter, const std::vector<Placed>& marks) {
  const QFontMetrics metrics(parentPlot()->font());
  painter->setFont(parentPlot()->font());
  m_texts.setFont(parentPlot()->font());
  std::vector<QRectF> taken;
  taken.reserve(marks.size());
  for (const Placed& mark : marks)
    taken.emplace_back(mark.at - QPointF(kHalfDiamond, kHalfDiamond), QSizeF(2 * kHalfDiamond, 2 * kHalfDiamond));
  std::size_t named = 0;
  for (const Placed& mark : marks) {
    if (mark.name.isEmpty()) continue;
    QStaticText name = m_texts.of(mark.name);
    if (name.size().width() > kLongestName)
      name = m_texts.of(metrics.elidedText(mark.name, Qt::ElideRight, kLongestName));
    const QSizeF size(name.size().width(), metrics.height());
    const auto place = placeOfName(mark.at, size, m_rect->rect(), taken);
    if (!place) continue;
    painter->setPen(mark.mark->flagged && !mark.mark->again ? m_theme.spike : m_theme.dimInk);
    painter->drawStaticText(place->topLeft(), name);
    taken.push_back(*place);
    if (++named == kMostNames) return;
  }
}

}  // namespace faultline
