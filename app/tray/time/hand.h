// TimeHand: wheel and drag over a picture of time. The wheel zooms around the pointer, with Shift or sideways it pans;
// the left button drags the picture. The picture maps positions to instants.
#pragma once

#include <QMouseEvent>
#include <QWheelEvent>
#include <optional>

#include "app/tray/time/view.h"

namespace faultline {

class TimeHand {
 public:
  explicit TimeHand(TimeView& view) : m_view(view) {}

  void wheel(QWheelEvent& event, MonotonicTime under);  // the instant under the pointer
  void press(const QMouseEvent& event);
  void move(const QMouseEvent& event, double width);     // of the picture, in pixels
  [[nodiscard]] bool release(const QMouseEvent& event);  // true: a click, without a drag
  [[nodiscard]] bool dragging() const { return m_dragged; }

 private:
  TimeView& m_view;
  std::optional<double> m_x;  // last position of the pressed button
  bool m_dragged = false;
};

}  // namespace faultline
