#include "app/tray/page/minute_line.h"

#include <QPainter>
#include <algorithm>

#include "app/tray/widgets/theme.h"

namespace faultline {

MinuteLine::MinuteLine(QWidget* parent) : QWidget(parent) {
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void MinuteLine::setSeries(std::vector<Bucket> series, MonotonicTime end) {
  if (series == m_series && end == m_end) return;
  m_series = std::move(series);
  m_end = end;
  update();
}

QSize MinuteLine::sizeHint() const {
  return {fontMetrics().horizontalAdvance(u'0') * 8, fontMetrics().height()};
}

// A value is valid from the bucket before to the end of its own.
void MinuteLine::paintEvent(QPaintEvent* /*event*/) {
  const auto highest = std::ranges::max_element(m_series, {}, &Bucket::max);
  if (highest == m_series.end() || highest->max <= 0) return;
  QPainter painter(this);
  const Theme theme = themeFor(palette());
  const auto xAt = [this](MonotonicTime time) { return width() * (1 - inNs(m_end - time) / inNs(kMinuteLineSpan)); };
  double left = xAt(m_series.front().start);
  for (const Bucket& bucket : m_series) {
    if (bucket.gapBefore) left = std::max(left, xAt(bucket.start) - 1);
    const double right = xAt(bucket.end);
    const double high = std::max(bucket.max / highest->max * (height() - 2.0), bucket.max > 0 ? 1.0 : 0.0);
    painter.fillRect(QRectF(left, height() - high, std::max(right - left, 1.0), high), theme.minor);
    left = right;
  }
}

}  // namespace faultline
