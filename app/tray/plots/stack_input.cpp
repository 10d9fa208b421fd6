// What hands do to the plots: wheel, drag, click and keys.
#include <QHelpEvent>
#include <QToolTip>
#include <algorithm>

#include "app/tray/plots/peak_words.h"
#include "app/tray/plots/stack.h"

namespace faultline {
namespace {

constexpr double kNear = 4;  // pixels

}  // namespace

bool PlotStack::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QCustomPlot::event(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  QToolTip::showText(help.globalPos(), toolTipAt(help.pos()), this);
  return true;
}

// Over the lines, where the labels already read what is under the pointer, who made it.
QString PlotStack::toolTipAt(const QPointF& point) const {
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    const QRect outer = m_panels[i]->rect()->outerRect();
    const QRect inner = m_panels[i]->rect()->rect();
    if (!outer.contains(point.toPoint())) continue;
    const auto which = static_cast<Panel>(i);
    if (point.y() < inner.top() || !whyEmpty(which, m_monitor.hello()).isEmpty())
      return panelWords(which, m_monitor.hello());
    const bool recorded = inner.contains(point.toPoint()) && timeAt(point.x()) > m_view.oldest();
    if (!recorded) return {};
    return m_panels[i]->hasGapAt(timeAt(point.x())) ? gapWords(which) : causesAt(which, point.x());
  }
  return {};
}

// A hand seldom meets the pixel of a peak: the highest nearby is meant.
QString PlotStack::causesAt(Panel panel, double x) const {
  const History& history = m_monitor.history();
  const MonotonicTime from = timeAt(x - kNear);
  const MonotonicTime to = timeAt(x + kNear);
  std::vector<Bucket> near = buckets(std::nullopt, processSeries(panel));
  std::erase_if(near, [&](const Bucket& bucket) { return bucket.end < from || bucket.start > to; });
  if (near.empty()) return peakWords(history, panel, timeAt(x), timeAt(x));
  const auto peak = std::ranges::max_element(near, {}, &Bucket::max);
  return peakWords(history, panel, peak->start, peak->end);
}

bool PlotStack::remedyAt(const QPointF& point) const {
  for (std::size_t i = 0; m_remedy && i < m_panels.size(); ++i)
    if (m_panels[i]->rect()->outerRect().contains(point.toPoint()))
      return !whyEmpty(static_cast<Panel>(i), m_monitor.hello()).isEmpty();
  return false;
}

void PlotStack::wheelEvent(QWheelEvent* event) {
  m_hand.wheel(*event, timeAt(event->position().x()));
}

void PlotStack::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  m_hand.press(*event);
}

void PlotStack::mouseMoveEvent(QMouseEvent* event) {
  m_hand.move(*event, panel(Panel::Faults).rect()->width());
  const bool clickable = spikeNear(event->position()) != nullptr || remedyAt(event->position());
  setCursor(m_hand.dragging() ? Qt::ClosedHandCursor : clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
  m_view.setCursor(timeAt(event->position().x()));
}

void PlotStack::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = m_hand.release(*event);
  setCursor(Qt::ArrowCursor);
  if (!clicked) return;
  if (const Spike* spike = spikeNear(event->position())) Q_EMIT spikeClicked(*spike);
  else if (remedyAt(event->position())) Q_EMIT remedyRequested();
}

void PlotStack::leaveEvent(QEvent* event) {
  QCustomPlot::leaveEvent(event);
  m_view.setCursor(std::nullopt);
}

void PlotStack::keyPressEvent(QKeyEvent* event) {
  if (!m_view.takeKey(event->key())) QCustomPlot::keyPressEvent(event);
}

void PlotStack::focusInEvent(QFocusEvent* event) {
  QCustomPlot::focusInEvent(event);
  m_reachedByKeys = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  update();
}

void PlotStack::focusOutEvent(QFocusEvent* event) {
  QCustomPlot::focusOutEvent(event);
  m_reachedByKeys = false;
  update();
}

void PlotStack::paintEvent(QPaintEvent* event) {
  QCustomPlot::paintEvent(event);
  if (!m_reachedByKeys) return;
  QPainter painter(this);
  painter.setPen(QPen(m_theme.dimInk, 1, Qt::DotLine));
  painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

}  // namespace faultline
