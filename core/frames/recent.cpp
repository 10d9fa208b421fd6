#include "core/frames/recent.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace faultline {

std::optional<double> Recent::usual() const {
  if (m_count < kMinValues) return std::nullopt;
  auto values = m_values;
  const auto end = values.begin() + static_cast<std::ptrdiff_t>(size());
  const auto middle = values.begin() + (end - values.begin()) / 2;
  std::nth_element(values.begin(), middle, end);
  return *middle;
}

bool Recent::standsOut(double value, double times, double by) const {
  const auto base = usual();
  return base && value > times * *base && value - *base > by;
}

double Recent::growth(double value) const {
  return std::max(value - usual().value_or(0), 0.0);
}

double Recent::shareWithin(double middle, double share) const {
  const auto near = std::ranges::count_if(std::span(m_values).first(size()),
                                          [&](double value) { return std::abs(value - middle) <= share * middle; });
  return m_count == 0 ? 0 : static_cast<double>(near) / static_cast<double>(size());
}

}  // namespace faultline
