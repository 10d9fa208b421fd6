// TimeRuler converts between the times and the x positions of a picture of time.
#pragma once

#include <algorithm>
#include <cmath>

#include "app/tray/time/view.h"

namespace faultline {

class TimeRuler {
 public:
  // `left` and `width` in pixels; a picture that was never laid out has the width 0, and counts as one pixel.
  TimeRuler(const TimeView& view, double left, double width)
      : m_from(view.from()),
        m_span(static_cast<double>(view.span().count())),
        m_left(left),
        m_width(std::max(width, 1.0)) {}

  [[nodiscard]] double xAt(MonotonicTime time) const {
    return m_left + static_cast<double>((time - m_from).count()) / m_span * m_width;
  }
  [[nodiscard]] MonotonicTime timeAt(double x) const {
    return m_from + Nanoseconds(std::llround((x - m_left) / m_width * m_span));
  }

 private:
  MonotonicTime m_from;
  double m_span;  // ns
  double m_left;
  double m_width;
};

}  // namespace faultline
