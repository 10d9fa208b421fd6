#include "core/frames/recent.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace faultline {

double Recent::ranked(std::size_t place) const {
  auto values = m_values;
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(place);
  std::nth_element(values.begin(), at, values.begin() + static_cast<std::ptrdiff_t>(size()));
  return *at;
}

std::optional<double> Recent::usual() const {
  return m_count < kMinValues ? std::nullopt : std::optional(ranked(size() / 2));
}

bool Recent::standsOut(double value, double times, double by) const {
  if (value <= by) return false;  // no value is negative
  const auto base = usual();
  return base && value > times * *base && value - *base > by;
}

double Recent::growth(double value) const {
  return std::max(value - usual().value_or(0), 0.0);
}

double Recent::most() const {
  return *std::ranges::max_element(m_values);
}

double Recent::shareOnGrid(double step, double share) const {
  const auto near = std::ranges::count_if(std::span(m_values).first(size()), [&](double value) {
    return std::abs(value - std::max(std::round(value / step), 1.0) * step) <= share * step;
  });
  return m_count == 0 ? 0 : static_cast<double>(near) / static_cast<double>(size());
}

}  // namespace faultline
