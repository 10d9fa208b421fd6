// Baseline: the usual level of one rate, as two quantiles of its recent values. Rare values do not change them.
#pragma once

#include <array>
#include <cstdint>

#include "core/base/units.h"

namespace faultline {

class Baseline {
 public:
  static constexpr std::uint32_t kValues = 128;  // two per second over a minute

  // Starts as if `zeros` values of 0 had been added.
  explicit Baseline(std::uint32_t zeros = 0);

  // Adds a value (per second), but at most kValues within `memory`, so that the baseline does not depend on the
  // interval.
  void add(double value, MonotonicTime time, Nanoseconds memory);

  [[nodiscard]] std::uint32_t count() const { return m_count; }
  [[nodiscard]] double median();
  [[nodiscard]] double high();  // the 90th percentile

 private:
  void refresh();

  std::array<float, kValues> m_values{};
  std::uint32_t m_count = 0;
  std::uint32_t m_next = 0;
  std::uint32_t m_stale = kValues;  // values added since the quantiles were computed
  float m_median = 0;
  float m_high = 0;
  MonotonicTime m_taken;
};

}  // namespace faultline
