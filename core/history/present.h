// Visits the metrics of a set, a bit each (Values::present()).
#pragma once

#include <bit>
#include <cstdint>

namespace faultline {

template <class Metric, class Visit>
void forEachMetric(std::uint32_t bits, Visit visit) {
  for (; bits != 0; bits &= bits - 1) visit(static_cast<Metric>(std::countr_zero(bits)));
}

}  // namespace faultline
