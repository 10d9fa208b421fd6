#include "core/spikes/baseline.h"

#include <algorithm>

namespace faultline {
namespace {

// Values between two computations of the quantiles, which change slowly.
constexpr std::uint32_t kRefreshAfter = 16;

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

double Baseline::high() {
  refresh();
  return m_high;
}

void Baseline::refresh() {
  if (m_count == 0 || m_stale == 0 || (m_stale < kRefreshAfter && m_count == kValues)) return;
  std::array<float, kValues> copy = m_values;
  const auto at = [&](std::uint32_t index) { return copy.begin() + static_cast<std::ptrdiff_t>(index); };
  const std::uint32_t middle = m_count / 2;
  const std::uint32_t tenth = m_count - 1 - (m_count - 1) / 10;
  std::nth_element(copy.begin(), at(middle), at(m_count));
  m_median = *at(middle);
  std::nth_element(at(middle), at(tenth), at(m_count));
  m_high = *at(tenth);
  m_stale = 0;
}

}  // namespace faultline
