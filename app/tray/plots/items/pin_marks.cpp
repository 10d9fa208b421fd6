#include "app/tray/plots/items/pin_marks.h"

#include <algorithm>
#include <array>
#include <bit>

#include "app/tray/plots/items/bucket_at.h"
#include "app/tray/widgets/theme.h"

namespace faultline {
namespace {

constexpr double kHalf = 3.5;
constexpr std::size_t kShapes = std::tuple_size_v<decltype(Theme::pins)>;
constexpr std::size_t kOutlines = 4;
constexpr int kMostOnALine = 4;  // at least half as many, because the distance doubles

}  // namespace

void paintPinShape(QCPPainter& painter, QPointF at, std::size_t shape, const QColor& colour, const QColor& ground) {
  const bool hollow = shape / kOutlines % 2 == 1;
  painter.setAntialiasing(true);
  painter.setPen(hollow ? QPen(colour, 1.5) : QPen(ground, 1));
  painter.setBrush(hollow ? ground : colour);
  const std::size_t outline = shape % kOutlines;
  if (outline == 0) return painter.drawEllipse(at, kHalf, kHalf);
  if (outline == 1) return painter.drawRect(QRectF(at - QPointF(kHalf, kHalf), QSizeF(2 * kHalf, 2 * kHalf)));
  const double up = outline == 2 ? -kHalf : kHalf;
  const std::array<QPointF, 3> triangle{at + QPointF(0, up * 1.2), at + QPointF(kHalf * 1.2, -up),
                                        at + QPointF(-kHalf * 1.2, -up)};
  painter.drawConvexPolygon(triangle.data(), static_cast<int>(triangle.size()));
}

// Each shape has its own phase, so that lines at the same height do not hide each other's shapes.
std::vector<const Bucket*> markedBuckets(const std::vector<Bucket>& buckets, std::size_t shape, Nanoseconds span,
                                         double least) {
  std::vector<const Bucket*> marked;
  if (buckets.empty()) return marked;
  const auto apart = static_cast<std::uint64_t>(std::max(span.count(), Nanoseconds::rep{1})) / kMostOnALine;
  const Nanoseconds period(static_cast<Nanoseconds::rep>(std::bit_ceil(std::max<std::uint64_t>(apart, kShapes))));
  const Nanoseconds phase = period / kShapes * static_cast<Nanoseconds::rep>(shape % kShapes);
  const Nanoseconds begin = buckets.front().start.sinceEpoch - phase;
  for (MonotonicTime time{begin / period * period + phase}; time <= buckets.back().end; time = time + period) {
    const Bucket* bucket = time < buckets.front().start ? nullptr : bucketAt(buckets, time);
    if (bucket != nullptr && bucket->max >= least) marked.push_back(bucket);
  }
  const auto highest = std::ranges::max_element(buckets, {}, &Bucket::max);
  if (marked.empty() && highest->max >= least) marked.push_back(&*highest);
  return marked;
}

void PinMarks::draw(QCPPainter* painter) {
  const QCPAxis* x = m_rect->axis(QCPAxis::atBottom);
  const QCPAxis* y = m_rect->axis(QCPAxis::atLeft);
  for (const Mark& mark : m_marks) {
    const QPointF at(x->coordToPixel(mark.key), y->coordToPixel(mark.value));
    if (at.x() >= m_rect->left() && at.x() <= m_rect->right() + 1)
      paintPinShape(*painter, at, mark.shape, mark.colour, m_ground);
  }
}

}  // namespace faultline
