// Baseline: what is usual for one series, by the median and the median absolute deviation of its recent past.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"

namespace faultline {

class Baseline {
 public:
  static constexpr std::uint32_t kValues = 64;

  // As if `zeros` idle samples had been seen.
  explicit Baseline(std::uint32_t zeros = 0);

  // Takes a sample, but no more than kValues of them in `memory`: what is recent does not depend on the interval.
  void add(double value, MonotonicTime time, Nanoseconds memory);

  [[nodiscard]] double median();
  [[nodiscard]] double deviation();  // scaled to be the standard deviation of normal noise

 private:
  void refresh();

  std::array<float, kValues> m_values{};
  std::uint32_t m_count = 0;
  std::uint32_t m_next = 0;
  std::uint32_t m_stale = kValues;  // values taken since the median was computed
  float m_median = 0;
  float m_deviation = 0;
  MonotonicTime m_taken;
};

}  // namespace faultline
