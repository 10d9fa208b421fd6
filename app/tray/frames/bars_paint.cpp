// How the bars look.
#include <QLocale>
#include <QPainter>
#include <array>
#include <cmath>

#include "app/tray/frames/bars.h"
#include "core/text/quantity.h"

namespace faultline {
namespace {

constexpr double kPale = 0.3;   // of the line's colour in the ground
constexpr double kGapFrom = 4;  // pixels: bars so wide stand apart
constexpr double kHalfDiamond = 4.5;
constexpr double kLeastTickGap = 90;
constexpr int kGap = 8;

double milliseconds(Nanoseconds time) {
  return static_cast<double>(time.count()) / 1e6;
}

QString text(const std::string& utf8) {
  return QString::fromStdString(utf8);
}

// Round numbers, without decimals that say nothing.
QString scaleLabel(double ms) {
  if (ms == 0) return QStringLiteral("0");
  return ms >= 1000 ? FrameBars::tr("%L1 s").arg(ms / 1000) : FrameBars::tr("%L1 ms").arg(ms);
}

QString durationLabel(double ms) {
  return ms == 0 ? QStringLiteral("0") : text(formatDuration(Nanoseconds(std::llround(ms * 1e6))));
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
  if (step < std::chrono::seconds(1))
    label += QLocale().decimalPoint() + QStringLiteral("%1").arg(ms % 1000, 3, 10, QLatin1Char('0'));
  return label;
}

}  // namespace

void FrameBars::paintEvent(QPaintEvent* /*event*/) {
  QPainter painter(this);
  m_ratio = devicePixelRatioF();
  draw(painter);
  if (!hasFocus() || !m_reachedByKeys) return;
  painter.setPen(QPen(m_theme.dimInk, 1, Qt::DotLine));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

void FrameBars::draw(QPainter& painter) {
  painter.fillRect(rect(), m_theme.base);
  painter.setFont(font());
  layOut();
  collectBars();
  drawAxes(painter);
  if (m_history.empty()) {
    painter.setPen(m_theme.dimInk);
    painter.drawText(m_plot, Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
    return;
  }
  if (m_selected) drawPlace(painter, *m_selected, true);
  if (const auto place = hovered(); place && place != m_selected) drawPlace(painter, *place, false);
  drawBars(painter);
  drawBudget(painter);
  drawDiamonds(painter);
  drawTimes(painter);
  drawReadout(painter);
}

void FrameBars::drawAxes(QPainter& painter) const {
  const auto label = [&](double y, const QString& words) {
    const QRectF place(0, y - fontMetrics().height() / 2.0, m_plot.left() - kGap, fontMetrics().height());
    painter.setPen(m_theme.dimInk);
    painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, words);
  };
  const auto line = [&](double y) {
    painter.setPen(QPen(m_theme.grid, 1));
    painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
  };
  for (const double share : {0.0, 0.5, 1.0}) {
    const double y = std::round(m_plot.bottom() - share * m_plot.height()) - 0.5;
    line(y);
    label(y, scaleLabel(share * m_scale.top()));
  }
  line(std::round(m_faults.bottom()) - 0.5);
  line(std::round(m_faults.top()) - 0.5);
  label(m_faults.top(), text(formatRate(m_faultScale.top())));
  label(m_faults.bottom(), QStringLiteral("0"));
  painter.setPen(m_theme.dimInk);
  painter.drawText(QRectF(m_faults.left(), m_plot.bottom(), m_faults.width(), m_faults.top() - m_plot.bottom()),
                   Qt::AlignLeft | Qt::AlignVCenter, tr("faults per frame"));
}

void FrameBars::drawTimes(QPainter& painter) const {
  const double share = kLeastTickGap / m_plot.width();
  const Nanoseconds step = tickStep(Nanoseconds(std::llround(share * static_cast<double>(m_view.span().count()))));
  const MonotonicTime zero = m_zero.value_or(m_view.oldest());
  painter.setPen(m_theme.dimInk);
  for (auto n = std::max<std::int64_t>((m_view.from() - zero) / step, 0); zero + n * step <= m_view.to(); ++n) {
    const double x = xAt(zero + n * step);
    if (x < m_plot.left()) continue;
    const QString words = clockLabel(n * step, step);
    const double width = fontMetrics().horizontalAdvance(words);
    if (x + width / 2 > m_plot.right()) break;
    painter.drawText(QPointF(x - width / 2, m_faults.bottom() + fontMetrics().ascent() + 2), words);
  }
}

void FrameBars::drawBars(QPainter& painter) const {
  const QColor pale = mixed(m_theme.base, m_theme.minor, kPale);
  const auto snapped = [&](double x) { return std::round(x * m_ratio) / m_ratio; };
  for (const Bar& bar : m_bars) {
    const double left = snapped(bar.left);
    double right = std::max(snapped(bar.right), left + 1 / m_ratio);
    if (right - left >= kGapFrom) right -= 1;
    const auto fill = [&](const QRectF& row, double top, const QColor& colour) {
      painter.fillRect(QRectF(QPointF(left, snapped(top)), QPointF(right, row.bottom())), colour);
    };
    fill(m_plot, yAt(milliseconds(bar.frames.duration)), pale);
    if (bar.frames.inFaults && bar.frames.inFaults->count() > 0)
      fill(m_plot, yAt(milliseconds(*bar.frames.inFaults)), m_theme.minor);
    const double share = std::min(static_cast<double>(bar.frames.mostFaults) / m_faultScale.top(), 1.0);
    if (bar.frames.mostFaults > 0)
      fill(m_faults, std::min(m_faults.bottom() - share * m_faults.height(), m_faults.bottom() - 1), m_theme.minor);
  }
}

void FrameBars::drawBudget(QPainter& painter) const {
  const double y = std::round(yAt(milliseconds(m_budget))) - 0.5;
  painter.setPen(QPen(m_theme.ink, 1, Qt::DashLine));
  painter.drawLine(QPointF(m_plot.left(), y), QPointF(m_plot.right(), y));
  const QString words = tr("budget %1").arg(durationLabel(milliseconds(m_budget)));
  const double width = fontMetrics().horizontalAdvance(words) + 6;
  const QRectF place(m_plot.left() + 2, y - fontMetrics().height() - 1, width, fontMetrics().height());
  QColor ground = m_theme.base;
  ground.setAlphaF(0.8F);
  painter.fillRect(place, ground);
  painter.setPen(m_theme.ink);
  painter.drawText(place, Qt::AlignCenter, words);
}

void FrameBars::drawDiamonds(QPainter& painter) const {
  painter.setRenderHint(QPainter::Antialiasing);
  for (const Diamond& diamond : diamonds()) {
    const std::array<QPointF, 4> corners{diamond.at - QPointF(0, kHalfDiamond), diamond.at + QPointF(kHalfDiamond, 0),
                                         diamond.at + QPointF(0, kHalfDiamond), diamond.at - QPointF(kHalfDiamond, 0)};
    painter.setPen(diamond.late ? QPen(m_theme.base, 1) : QPen(m_theme.spike, 1.5));
    painter.setBrush(diamond.late ? m_theme.spike : m_theme.base);
    painter.drawConvexPolygon(corners.data(), static_cast<int>(corners.size()));
  }
  painter.setRenderHint(QPainter::Antialiasing, false);
}

// A band through both rows, as wide as the frame.
void FrameBars::drawPlace(QPainter& painter, std::uint64_t place, bool selected) const {
  if (place < m_history.begin() || place >= m_history.end()) return;
  const GameFrame frame = m_history.at(place).frame;
  const double middle = (xAt(frame.start) + xAt(frame.start + frame.duration)) / 2;
  const double half = std::max((xAt(frame.start + frame.duration) - xAt(frame.start)) / 2, selected ? 1.5 : 0.5);
  const double left = std::max(middle - half, m_plot.left());
  const double right = std::min(middle + half, m_plot.right());
  if (right <= left) return;
  const QRectF band(QPointF(left, m_plot.top()), QPointF(right, m_faults.bottom()));
  painter.fillRect(band, mixed(m_theme.base, m_theme.ink, selected ? 0.3 : 0.15));
}

void FrameBars::drawReadout(QPainter& painter) const {
  auto place = hovered();
  if (!place) place = m_selected;
  const bool there = place && *place >= m_history.begin() && *place < m_history.end();
  painter.setPen(there ? m_theme.ink : m_theme.dimInk);
  const QString words =
      there ? text(frameText(m_history.at(*place)))
            : tr("Each bar is a frame, its solid part was spent in page faults. Point at one, or click it.");
  const QRectF row(m_plot.left(), kGap / 2.0, m_plot.width(), fontMetrics().height());
  painter.drawText(row, Qt::AlignLeft | Qt::AlignVCenter,
                   fontMetrics().elidedText(words, Qt::ElideRight, static_cast<int>(row.width())));
}

}  // namespace faultline
