// TimeHand: wheel and drag over a picture of time. The wheel zooms around the pointer, with Shift or sideways it pans;
// the left button drags the picture along. The picture says where on it an instant lies.
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
  [[nodiscard]] bool release(const QMouseEvent& event);  // true: the hand stood still, it was a click
  [[nodiscard]] bool dragging() const { return m_dragged; }

 private:
  TimeView& m_view;
  std::optional<double> m_x;  // where the hand holds the picture
  bool m_dragged = false;
};

}  // namespace faultline
