// CalmScale: the top of a vertical axis, in round steps. Grows at once, and shrinks only after the data has stayed
// below half of it for a while, so that it does not jump with every sample.
#pragma once

#include "core/base/units.h"

namespace faultline {

enum class Rounding { Decimal, Fine, Binary };

class CalmScale {
 public:
  CalmScale(Rounding rounding, double least) : m_rounding(rounding), m_least(least), m_top(least) {}

  // The top for data whose highest value is `highest` at time `now` (of any steady clock; going back means another
  // stream, and resets the scale).
  [[nodiscard]] double update(double highest, Nanoseconds now);
  [[nodiscard]] double top() const { return m_top; }
  void reset() { m_top = m_least; }

 private:
  Rounding m_rounding;
  double m_least;
  double m_top;
  Nanoseconds m_lastHigh{0};  // when the data last filled half of the scale
};

// The smallest round number not below `value`: 1, 2, 4, 8 or 10 times a power of ten (Fine: with more steps), or a
// power of two.
[[nodiscard]] double roundUp(double value, Rounding rounding);

}  // namespace faultline
