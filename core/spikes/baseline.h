// Baseline: what is usual for one series, by two quantiles of its recent past. The rare does not move them.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"

namespace faultline {

class Baseline {
 public:
  static constexpr std::uint32_t kValues = 128;  // two a second over a minute

  // As if `zeros` idle values had been seen.
  explicit Baseline(std::uint32_t zeros = 0);

  // Takes a value, but no more than kValues of them in `memory`: what is recent does not depend on the interval.
  void add(double value, MonotonicTime time, Nanoseconds memory);

  [[nodiscard]] std::uint32_t count() const { return m_count; }
  [[nodiscard]] double median();
  [[nodiscard]] double high();  // a tenth of the past was at least this

 private:
  void refresh();

  std::array<float, kValues> m_values{};
  std::uint32_t m_count = 0;
  std::uint32_t m_next = 0;
  std::uint32_t m_stale = kValues;  // values taken since the quantiles were computed
  float m_median = 0;
  float m_high = 0;
  MonotonicTime m_taken;
};

}  // namespace faultline
