#include "app/tray/time/hand.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace faultline {
namespace {

constexpr double kWheelStep = 120;  // eighths of a degree, as Qt counts one notch
constexpr double kZoomPerNotch = 0.8;
constexpr int kClickSlop = 4;

}  // namespace

void TimeHand::wheel(QWheelEvent& event, MonotonicTime under) {
  const QPoint angle = event.angleDelta();
  if (angle.y() != 0 && !(event.modifiers() & Qt::ShiftModifier)) {
    m_view.zoom(std::pow(kZoomPerNotch, angle.y() / kWheelStep), under);
  } else {
    const int sideways = angle.x() != 0 ? angle.x() : angle.y();
    m_view.pan(-(m_view.span() / 10) * sideways / static_cast<int>(kWheelStep));
  }
  event.accept();
}

void TimeHand::press(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton) return;
  m_x = event.position().x();
  m_dragged = false;
}

void TimeHand::move(const QMouseEvent& event, double width) {
  const double x = event.position().x();
  if (!m_x || (!m_dragged && std::abs(x - *m_x) <= kClickSlop)) return;
  m_dragged = true;
  const double share = (*m_x - x) / std::max(width, 1.0);
  m_view.pan(Nanoseconds(std::llround(share * static_cast<double>(m_view.span().count()))));
  m_x = x;
}

bool TimeHand::release(const QMouseEvent& event) {
  if (event.button() != Qt::LeftButton) return false;
  const bool held = std::exchange(m_x, std::nullopt).has_value();
  return !std::exchange(m_dragged, false) && held;
}

}  // namespace faultline
