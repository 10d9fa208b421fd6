#include "app/tray/frames/bars/painter.h"

#include <QCoreApplication>
#include <QVarLengthArray>
#include <algorithm>
#include <array>
#include <cmath>

#include "app/tray/widgets/utf8.h"
#include "core/text/number_style.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr double kPale = 0.3;   // of the line's colour in the ground
constexpr double kGapFrom = 4;  // pixels: bars so wide stand apart
constexpr double kHalfDiamond = 4.5;
constexpr double kLeastTickGap = 90;

QString barWords(const char* words) {
  return QCoreApplication::translate("FrameBars", words);
}

// Quarters of the scale are round numbers and need no decimals.
QString scaleLabel(double ms) {
  if (ms == 0) return QStringLiteral("0");
  return ms >= 1000 ? barWords("%L1 s").arg(ms / 1000) : barWords("%L1 ms").arg(ms);
}

Nanoseconds tickStep(Nanoseconds least) {
  constexpr std::array<std::int64_t, 3> kSteps{1, 2, 5};
  for (std::int64_t decade = 1'000'000; decade < 10'000'000'000; decade *= 10)
    for (const std::int64_t step : kSteps)
      if (Nanoseconds(step * decade) >= least) return Nanoseconds(step * decade);
  for (const int seconds : {15, 30, 60, 120, 300, 600})
    if (std::chrono::seconds(seconds) >= least) return std::chrono::seconds(seconds);
  return std::chrono::hours(1);
}

QString clockLabel(Nanoseconds since, Nanoseconds step) {
  const std::int64_t ms = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  QString label = QStringLiteral("%1:%2").arg(ms / 60'000).arg(ms / 1000 % 60, 2, 10, QLatin1Char('0'));
  if (step < std::chrono::seconds(1)) label += QStringLiteral(".%1").arg(ms % 1000, 3, 10, QLatin1Char('0'));
  return text(styled(label.toStdString()));
}

}  // namespace

void BarPainter::drawAxes() {
  const QRectF& durations = m_layout.durations();
  const QRectF& faults = m_layout.faults();
  const int lineHeight = m_painter.fontMetrics().height();
  const auto label = [&](double y, const QString& words) {
    const QRectF place(0, y - lineHeight / 2.0, durations.left() - BarLayout::kGap, lineHeight);
    m_painter.setPen(m_theme.dimInk);
    m_painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, words);
  };
  const auto line = [&](double y) {
    m_painter.setPen(QPen(m_theme.grid, 1));
    m_painter.drawLine(QPointF(durations.left(), y), QPointF(durations.right(), y));
  };
  for (const double share : {0.0, 0.5, 1.0}) {
    const double y = std::round(durations.bottom() - share * durations.height()) - 0.5;
    line(y);
    label(y, scaleLabel(share * m_layout.mostMs()));
  }
  line(std::round(faults.bottom()) - 0.5);
  line(std::round(faults.top()) - 0.5);
  label(faults.top(), text(formatRate(m_layout.mostFaults())));
  label(faults.bottom(), QStringLiteral("0"));
  m_painter.setPen(m_theme.dimInk);
  m_painter.drawText(QRectF(faults.left(), durations.bottom(), faults.width(), faults.top() - durations.bottom()),
                     Qt::AlignLeft | Qt::AlignVCenter, barWords("faults per frame"));
}

void BarPainter::drawTimes(const TimeView& view, MonotonicTime zero) {
  const QRectF& row = m_layout.faults();
  const QFontMetrics metrics = m_painter.fontMetrics();
  const double share = kLeastTickGap / row.width();
  const Nanoseconds step = tickStep(Nanoseconds(std::llround(share * static_cast<double>(view.span().count()))));
  m_painter.setPen(m_theme.dimInk);
  for (auto n = std::max<std::int64_t>((view.from() - zero) / step, 0); zero + n * step <= view.to(); ++n) {
    const double x = m_layout.xAt(zero + n * step);
    if (x < row.left()) continue;
    const QString words = clockLabel(n * step, step);
    const double width = metrics.horizontalAdvance(words);
    if (x + width / 2 > row.right()) break;
    m_painter.drawText(QPointF(x - width / 2, row.bottom() + metrics.ascent() + 2), words);
  }
}

// In whole device pixels and by colour, which the paint engine fills fastest.
void BarPainter::drawBars() {
  const double ratio = m_layout.pixelRatio();
  const auto snapped = [&](double at) { return static_cast<int>(std::lround(at * ratio)); };
  const QRectF& durations = m_layout.durations();
  const QRectF& faults = m_layout.faults();
  QVarLengthArray<QRect, 2048> pale;
  QVarLengthArray<QRect, 4096> solid;
  for (const FrameBar& bar : m_layout.bars()) {
    const int left = snapped(bar.left);
    int right = std::max(snapped(bar.right), left + 1);
    if (right - left >= kGapFrom * ratio) right -= snapped(1);
    const auto add = [&](auto& rects, const QRectF& row, double top) {
      rects.append(QRect(left, snapped(top), right - left, snapped(row.bottom()) - snapped(top)));
    };
    add(pale, durations, m_layout.yAt(bar.frames.duration));
    const Nanoseconds memory = std::min(bar.frames.memory.value_or(Nanoseconds(0)), bar.frames.duration);
    if (memory.count() > 0) add(solid, durations, m_layout.yAt(memory));
    const double share = std::min(static_cast<double>(bar.frames.mostFaults) / m_layout.mostFaults(), 1.0);
    if (bar.frames.mostFaults > 0)
      add(solid, faults, std::min(faults.bottom() - share * faults.height(), faults.bottom() - 1));
  }
  m_painter.save();
  m_painter.scale(1 / ratio, 1 / ratio);
  m_painter.setPen(Qt::NoPen);
  m_painter.setBrush(mixed(m_theme.base, m_theme.minor, kPale));
  m_painter.drawRects(pale.constData(), static_cast<int>(pale.size()));
  m_painter.setBrush(m_theme.minor);
  m_painter.drawRects(solid.constData(), static_cast<int>(solid.size()));
  m_painter.restore();
}

void BarPainter::drawDeadline(const FrameDeadline& deadline) {
  const auto [after, by] = deadline;
  const QRectF& row = m_layout.durations();
  const QFontMetrics metrics = m_painter.fontMetrics();
  const double y = std::round(m_layout.yAt(after)) - 0.5;
  m_painter.setPen(QPen(m_theme.ink, 1, Qt::DashLine));
  m_painter.drawLine(QPointF(row.left(), y), QPointF(row.right(), y));
  const QString length = after.count() == 0 ? QStringLiteral("0") : text(formatDuration(after));
  const QString words = (by == DeadlineBy::Cadence ? barWords("the game's cadence %1")
                         : by == DeadlineBy::Usual ? barWords("usual %1")
                                                   : barWords("budget %1"))
                            .arg(length);
  const QRectF place(row.left() + 2, y - metrics.height() - 1, metrics.horizontalAdvance(words) + 6, metrics.height());
  QColor ground = m_theme.base;
  ground.setAlphaF(0.8F);
  m_painter.fillRect(place, ground);
  m_painter.setPen(m_theme.ink);
  m_painter.drawText(place, Qt::AlignCenter, words);
}

void BarPainter::drawDiamonds() {
  m_painter.setRenderHint(QPainter::Antialiasing);
  for (const FrameDiamond& diamond : m_layout.diamonds()) {
    const std::array<QPointF, 4> corners{diamond.at - QPointF(0, kHalfDiamond), diamond.at + QPointF(kHalfDiamond, 0),
                                         diamond.at + QPointF(0, kHalfDiamond), diamond.at - QPointF(kHalfDiamond, 0)};
    m_painter.setPen(diamond.late ? QPen(m_theme.base, 1) : QPen(m_theme.spike, 1.5));
    m_painter.setBrush(diamond.late ? m_theme.spike : m_theme.base);
    m_painter.drawConvexPolygon(corners.data(), static_cast<int>(corners.size()));
  }
  m_painter.setRenderHint(QPainter::Antialiasing, false);
}

void BarPainter::drawBand(const GameFrame& frame, bool selected) {
  const QRectF& row = m_layout.durations();
  const double start = m_layout.xAt(frame.start);
  const double end = m_layout.xAt(frame.start + frame.duration);
  const double middle = (start + end) / 2;
  const double half = std::max((end - start) / 2, selected ? 1.5 : 0.5);
  const double left = std::max(middle - half, row.left());
  const double right = std::min(middle + half, row.right());
  if (right <= left) return;
  const QRectF band(QPointF(left, row.top()), QPointF(right, m_layout.faults().bottom()));
  m_painter.fillRect(band, mixed(m_theme.base, m_theme.ink, selected ? 0.3 : 0.15));
}

void BarPainter::drawEmpty(const QString& words) {
  m_painter.setPen(m_theme.dimInk);
  m_painter.drawText(m_layout.durations(), Qt::AlignCenter | Qt::TextWordWrap, words);
}

void BarPainter::drawReadout(const QString& words, const QColor& ink) {
  const QFontMetrics metrics = m_painter.fontMetrics();
  const QRectF row(m_layout.durations().left(), BarLayout::kGap / 2.0, m_layout.durations().width(), metrics.height());
  m_painter.setPen(ink);
  m_painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                     metrics.elidedText(words, Qt::ElideRight, static_cast<int>(row.width())));
}

}  // namespace faultline
