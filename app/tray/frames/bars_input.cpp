// What hands do to the bars: wheel, drag, click and keys.
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include "app/tray/frames/bars.h"

namespace faultline {

void FrameBars::wheelEvent(QWheelEvent* event) {
  m_hand.wheel(*event, timeAt(event->position().x()));
}

void FrameBars::mousePressEvent(QMouseEvent* event) {
  m_hand.press(*event);
}

void FrameBars::mouseMoveEvent(QMouseEvent* event) {
  m_hand.move(*event, m_plot.width());
  setCursor(m_hand.dragging() ? Qt::ClosedHandCursor : Qt::ArrowCursor);
  const double x = event->position().x();
  const bool over = x >= m_plot.left() && x < m_plot.right();
  m_view.setCursor(over ? std::optional(timeAt(x)) : std::nullopt);
}

void FrameBars::mouseReleaseEvent(QMouseEvent* event) {
  const bool clicked = m_hand.release(*event);
  setCursor(Qt::ArrowCursor);
  if (!clicked) return;
  if (const auto place = placeAt(event->position())) Q_EMIT frameClicked(*place);
}

void FrameBars::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  m_view.setCursor(std::nullopt);
}

void FrameBars::focusInEvent(QFocusEvent* event) {
  QWidget::focusInEvent(event);
  m_reachedByKeys = event->reason() == Qt::TabFocusReason || event->reason() == Qt::BacktabFocusReason;
  update();
}

void FrameBars::focusOutEvent(QFocusEvent* event) {
  QWidget::focusOutEvent(event);
  update();
}

void FrameBars::keyPressEvent(QKeyEvent* event) {
  const bool sideways = event->key() == Qt::Key_Left || event->key() == Qt::Key_Right;
  const int direction = event->key() == Qt::Key_Left ? -1 : 1;
  if (sideways && event->modifiers().testFlag(Qt::ControlModifier)) return stepFlagged(direction);
  if (sideways && event->modifiers().testFlag(Qt::ShiftModifier)) return step(direction);
  if (!m_view.takeKey(event->key())) QWidget::keyPressEvent(event);
}

void FrameBars::step(int by) {
  if (m_history.empty()) return;
  const std::uint64_t last = m_history.end() - 1;
  const std::uint64_t from = std::clamp(m_selected.value_or(last), m_history.begin(), last);
  if (by < 0 && from == m_history.begin()) return;
  if (by > 0 && from == last) return;
  choose(by < 0 ? from - 1 : from + 1);
}

// Doubles the stretch that it asks about until there is a flagged frame in it, then halves it.
void FrameBars::stepFlagged(int direction) {
  if (m_history.empty()) return;
  const std::uint64_t begin = m_history.begin();
  const std::uint64_t end = m_history.end();
  std::uint64_t from = std::clamp(m_selected.value_or(end), begin, end);
  if (direction > 0) from = std::min(from + 1, end);
  const auto any = [&](std::uint64_t count) {
    const auto frames = direction > 0 ? m_history.stretch(from, std::min(from + count, end))
                                      : m_history.stretch(from - std::min(count, from - begin), from);
    return frames && frames->flagged;
  };
  const std::uint64_t most = direction > 0 ? end - from : from - begin;
  std::uint64_t high = 1;
  while (high < most && !any(high)) high *= 2;
  high = std::min(high, most);
  if (!any(high)) return;
  std::uint64_t low = 0;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (any(middle) ? high : low) = middle;
  }
  choose(direction > 0 ? from + high - 1 : from - high);
}

void FrameBars::choose(std::uint64_t place) {
  const GameFrame frame = m_history.at(place).frame;
  const MonotonicTime end = frame.start + frame.duration;
  if (frame.start < m_view.from() || end > m_view.to()) m_view.goTo(frame.start);
  Q_EMIT frameClicked(place);
}

}  // namespace faultline
