// What hands do to the plots: wheel, drag, click and keys.
#include <QHelpEvent>
#include <QToolTip>
#include <cmath>

#include "app/tray/plot_stack.h"

namespace faultline {
namespace {

constexpr double kWheelStep = 120;  // eighths of a degree, as Qt counts one notch
constexpr double kZoomPerNotch = 0.8;
constexpr int kClickSlop = 4;

}  // namespace

bool PlotStack::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QCustomPlot::event(event);
  const auto& help = static_cast<const QHelpEvent&>(*event);
  QToolTip::showText(help.globalPos(), toolTipAt(help.pos()), this);
  return true;
}

// Over the lines only where they are missing: there the labels already read what is under the pointer.
QString PlotStack::toolTipAt(const QPointF& point) const {
  for (std::size_t i = 0; i < m_panels.size(); ++i) {
    const QRect outer = m_panels[i]->rect()->outerRect();
    const QRect inner = m_panels[i]->rect()->rect();
    if (!outer.contains(point.toPoint())) continue;
    const auto which = static_cast<Panel>(i);
    if (point.y() < inner.top() || !whyEmpty(which, m_monitor.hello()).isEmpty())
      return panelWords(which, m_monitor.hello());
    const bool recorded = inner.contains(point.toPoint()) && timeAt(point.x()) > m_view.oldest();
    return recorded && m_panels[i]->hasGapAt(timeAt(point.x())) ? gapWords(which) : QString();
  }
  return {};
}

bool PlotStack::remedyAt(const QPointF& point) const {
  for (std::size_t i = 0; m_remedy && i < m_panels.size(); ++i)
    if (m_panels[i]->rect()->outerRect().contains(point.toPoint()))
      return !whyEmpty(static_cast<Panel>(i), m_monitor.hello()).isEmpty();
  return false;
}

void PlotStack::wheelEvent(QWheelEvent* event) {
  const QPoint angle = event->angleDelta();
  if (angle.y() != 0 && !(event->modifiers() & Qt::ShiftModifier)) {
    m_view.zoom(std::pow(kZoomPerNotch, angle.y() / kWheelStep), timeAt(event->position().x()));
  } else {
    const int sideways = angle.x() != 0 ? angle.x() : angle.y();
    m_view.pan(-(m_view.span() / 10) * sideways / static_cast<int>(kWheelStep));
  }
  event->accept();
}

void PlotStack::mousePressEvent(QMouseEvent* event) {
  setFocus(Qt::MouseFocusReason);
  if (event->button() != Qt::LeftButton) return;
  m_dragX = event->position().x();
  m_dragged = false;
}

void PlotStack::mouseMoveEvent(QMouseEvent* event) {
  const double x = event->position().x();
  if (m_dragX && (m_dragged || std::abs(x - *m_dragX) > kClickSlop)) {
    m_dragged = true;
    const double share = (*m_dragX - x) / std::max(m_panels[0]->rect()->width(), 1);
    m_view.pan(Nanoseconds(std::llround(share * static_cast<double>(m_view.span().count()))));
    m_dragX = x;
  }
  const bool clickable = spikeNear(event->position()) != nullptr || remedyAt(event->position());
  setCursor(m_dragged ? Qt::ClosedHandCursor : clickable ? Qt::PointingHandCursor : Qt::ArrowCursor);
  m_view.setCursor(timeAt(x));
}

void PlotStack::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = m_dragX && !m_dragged;
  m_dragX.reset();
  m_dragged = false;
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
  switch (event->key()) {
    case Qt::Key_Left:
      return m_view.pan(-m_view.span() / 10);
    case Qt::Key_Right:
      return m_view.pan(m_view.span() / 10);
    default:
      if (!m_view.takeKey(event->key())) QCustomPlot::keyPressEvent(event);
  }
}

}  // namespace faultline
