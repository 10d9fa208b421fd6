#include "core/monitor/baseline.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace faultline {
namespace {

// The median of recent values moves slowly: it need not be computed for each.
constexpr std::uint32_t kRefreshAfter = 4;

float middle(std::span<float> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

}  // namespace

Baseline::Baseline(std::uint32_t zeros) : m_count(std::min(zeros, kValues)), m_next(m_count % kValues) {}

void Baseline::add(double value, MonotonicTime time, Nanoseconds memory) {
  if (m_count > 0 && time - m_taken < memory / kValues) return;
  m_taken = time;
  m_values[m_next] = static_cast<float>(value);
  m_next = (m_next + 1) % kValues;
  m_count = std::min(m_count + 1, kValues);
  ++m_stale;
}

double Baseline::median() {
  refresh();
  return m_median;
}

double Baseline::deviation() {
  refresh();
  return m_deviation;
}

void Baseline::refresh() {
  if (m_count == 0 || (m_stale < kRefreshAfter && m_count == kValues)) return;
  std::array<float, kValues> copy = m_values;
  const std::span<float> values(copy.data(), m_count);
  m_median = middle(values);
  for (float& value : values) value = std::abs(value - m_median);
  m_deviation = 1.4826F * middle(values);
  m_stale = 0;
}

}  // namespace faultline
