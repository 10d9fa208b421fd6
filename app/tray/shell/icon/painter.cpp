#include "app/tray/shell/icon/painter.h"

#include <QIconEngine>
#include <QPainter>
#include <QPainterPath>
#include <QPixmap>
#include <algorithm>
#include <cmath>

namespace faultline {

namespace {

constexpr double kFullScaleAtLeast = 20'000;  // faults/s, so that an idle desktop is a low line
constexpr QRgb kVermilion = qRgb(0xD5, 0x5E, 0x00);
constexpr QRgb kRecordingRed = qRgb(0xE0, 0x1B, 0x24);

std::int64_t slotOf(MonotonicTime time) {
  return time.sinceEpoch.count() / kIconSlot.count();
}

// The highest slot in a pixel column, so that every slot counts at every size.
float columnHeight(const IconState& state, int column, int columns) {
  const auto slots = static_cast<int>(kIconSlots);
  const int first = column * slots / columns;
  const int last = std::max(first + 1, (column + 1) * slots / columns);
  return *std::max_element(state.heights.begin() + first, state.heights.begin() + last);
}

// In whole device pixels, so that edges are crisp.
QPainterPath silhouette(const IconState& state, int pixels) {
  QPainterPath path(QPointF(0, pixels));
  for (int column = 0; column < pixels; ++column) {
    const int height =
        std::max(1, static_cast<int>(std::lround(columnHeight(state, column, pixels) * static_cast<float>(pixels))));
    path.lineTo(column, pixels - height);
    path.lineTo(column + 1, pixels - height);
  }
  path.lineTo(pixels, pixels);
  path.closeSubpath();
  return path;
}

void paintSilhouette(QPainter& painter, const IconState& state, int pixels, double pen) {
  const QPainterPath path = silhouette(state, pixels);
  if (state.halo.isValid())
    painter.strokePath(path, QPen(state.halo, 2 * pen, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
  if (state.mode != IconMode::Hollow) {
    painter.fillPath(path, state.ink);
    return;
  }
  painter.setClipPath(path);  // keeps the inner half of the pen
  painter.strokePath(path, QPen(state.ink, 2 * pen, Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
  painter.setClipping(false);
}

void paintStrike(QPainter& painter, const IconState& state, int pixels, double pen) {
  const QLineF line(pen, pixels - pen, pixels - pen, pen);
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setCompositionMode(QPainter::CompositionMode_Clear);
  painter.setPen(QPen(Qt::black, 4 * pen, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(line);
  painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
  if (state.halo.isValid()) {
    painter.setPen(QPen(state.halo, 3 * pen, Qt::SolidLine, Qt::RoundCap));
    painter.drawLine(line);
  }
  painter.setPen(QPen(state.ink, 1.5 * pen, Qt::SolidLine, Qt::RoundCap));
  painter.drawLine(line);
}

// Two bars in the middle, because an outline alone looks like a full silhouette on a panel as bright as the ink.
void paintPause(QPainter& painter, const IconState& state, int pixels, double pen) {
  const int bar = std::max(2, pixels / 7);
  const int height = pixels / 2;
  const int top = (pixels - height) / 2;
  for (const int left : {pixels / 2 - bar / 2 - bar, pixels / 2 + bar - bar / 2}) {
    const QRect rect(left, top, bar, height);
    const auto ring = static_cast<int>(pen);
    const QRect around = rect.adjusted(-ring, -ring, ring, ring);
    painter.setCompositionMode(QPainter::CompositionMode_Clear);
    painter.fillRect(around, Qt::black);
    painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
    if (state.halo.isValid()) painter.fillRect(around, state.halo);
    painter.fillRect(rect, state.ink);
  }
}

// With a clear ring, so that the mark is visible on a high silhouette.
void paintMark(QPainter& painter, const QPolygonF& shape, const QPolygonF& ring, QRgb colour) {
  painter.setRenderHint(QPainter::Antialiasing);
  painter.setPen(Qt::NoPen);
  painter.setCompositionMode(QPainter::CompositionMode_Clear);
  painter.setBrush(Qt::black);
  painter.drawPolygon(ring);
  painter.setCompositionMode(QPainter::CompositionMode_SourceOver);
  painter.setBrush(QColor(colour));
  painter.drawPolygon(shape);
}

QPolygonF diamond(QPointF centre, double radius) {
  return {{centre - QPointF(0, radius), centre + QPointF(radius, 0), centre + QPointF(0, radius),
           centre - QPointF(radius, 0)}};
}

QPolygonF disc(QPointF centre, double radius) {
  QPainterPath path;
  path.addEllipse(centre, radius, radius);
  return path.toFillPolygon();
}

void paintSpike(QPainter& painter, int pixels) {
  const double radius = pixels * 0.24;
  const QPointF centre(radius, radius);
  paintMark(painter, diamond(centre, radius), diamond(centre, radius * 1.4), kVermilion);
}

void paintRecording(QPainter& painter, int pixels) {
  const double radius = pixels * 0.19;
  const QPointF centre(radius, pixels - radius);
  paintMark(painter, disc(centre, radius), disc(centre, radius * 1.35), kRecordingRed);
}

class IconEngine final : public QIconEngine {
 public:
  explicit IconEngine(const IconState& state) : m_state(state) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode, QIcon::State) override {
    const int size = std::min(rect.width(), rect.height());
    if (size <= 0) return;
    QRect square(0, 0, size, size);
    square.moveCenter(rect.center());
    painter->drawImage(square, paintIcon(m_state, size, painter->device()->devicePixelRatio()));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode, QIcon::State) override {
    return QPixmap::fromImage(paintIcon(m_state, std::min(size.width(), size.height()), 1));  // in device pixels
  }
  QList<QSize> availableSizes(QIcon::Mode, QIcon::State) override {
    return {{16, 16}, {22, 22}, {24, 24}, {32, 32}, {44, 44}, {64, 64}};
  }
  bool isNull() override { return false; }
  QIconEngine* clone() const override { return new IconEngine(m_state); }

 private:
  IconState m_state;
};

}  // namespace

std::array<float, kIconSlots> iconHeights(const std::vector<Bucket>& faultRates, MonotonicTime now) {
  std::array<float, kIconSlots> heights{};
  const std::int64_t newest = slotOf(now);
  double top = kFullScaleAtLeast;
  for (const Bucket& bucket : faultRates) {
    const std::int64_t age = newest - slotOf(bucket.end);
    if (age < 0 || age >= static_cast<std::int64_t>(kIconSlots)) continue;
    float& height = heights[kIconSlots - 1 - static_cast<std::size_t>(age)];
    height = std::max(height, bucket.max);
    top = std::max(top, static_cast<double>(bucket.max));
  }
  for (float& height : heights) height = static_cast<float>(std::sqrt(height / top));
  return heights;
}

QImage paintIcon(const IconState& state, int size, qreal devicePixelRatio) {
  const int pixels = std::max(1, static_cast<int>(std::lround(size * devicePixelRatio)));
  QImage image(pixels, pixels, QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::transparent);
  QPainter painter(&image);
  const double pen = std::max(1.0, std::round(pixels / 24.0));
  paintSilhouette(painter, state, pixels, pen);
  if (state.mode == IconMode::Struck) paintStrike(painter, state, pixels, pen);
  if (state.mode == IconMode::Hollow) paintPause(painter, state, pixels, pen);
  if (state.recording) paintRecording(painter, pixels);
  if (state.spike) paintSpike(painter, pixels);
  painter.end();
  image.setDevicePixelRatio(devicePixelRatio);
  return image;
}

QIcon makeIcon(const IconState& state) {
  return QIcon(new IconEngine(state));
}

}  // namespace faultline
