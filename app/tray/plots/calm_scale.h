// CalmScale: the top of a vertical axis that does not jump with every sample. It grows at once, and shrinks only after
// the data has stayed below half of it for a while, in round steps.
#pragma once

#include "core/base/units.h"

namespace faultline {

enum class Rounding { Decimal, Fine, Binary };

class CalmScale {
 public:
  CalmScale(Rounding rounding, double least) : m_rounding(rounding), m_least(least), m_top(least) {}

  // The top for data whose highest value is `highest`, looked at at time `now` (any steady clock; back: another
  // stream, whose scale has nothing to do with the one before).
  [[nodiscard]] double update(double highest, Nanoseconds now);
  [[nodiscard]] double top() const { return m_top; }
  void reset() { m_top = m_least; }

 private:
  Rounding m_rounding;
  double m_least;
  double m_top;
  Nanoseconds m_lastHigh{0};  // when the data last filled half of the scale
};

// The smallest round number that is no less than `value`: 1, 2, 4, 8 or 10 times a power of ten (Fine: more
// of them), or a power of two.
[[nodiscard]] double roundUp(double value, Rounding rounding);

}  // namespace faultline
